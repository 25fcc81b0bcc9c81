// expect: true
// A function may be chosen before or after the arguments; there is no other outcome.
void reach_error(void);

int one(int v) { return 1; }
int two(int v) { return 2; }
int (*chosen)(int) = one;
int change(void) { chosen = two; return 0; }

int main(void) {
    int r = chosen(change());
    if (!(r == 1 || r == 2))
        reach_error();
    return 0;
}
