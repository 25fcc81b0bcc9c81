// expect: false(valid-deref) args: --property valid-deref --any-arguments 2
/* Behind the null pointer nothing is. */
int main(int argc, char **argv) { return argv[argc + 1] == 0; }
