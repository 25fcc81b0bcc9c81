// expect: true
// A call may come before the read on its left; there is no other outcome.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }

int main(void) {
    int r = x + f();
    if (!(r == 1 || r == 6))
        reach_error();
    return 0;
}
