// expect: false(valid-deref) args: --property valid-deref --any-arguments 1
/* There may be none. */
int main(int argc, char **argv) { return argv[1][0] == '-'; }
