// expect: true
// A call may come between the operands of its sibling; there is no other outcome.
void reach_error(void);

int x = 1, y = 1;
int f(void) { x = 5; y = 6; return 1; }

int main(void) {
    int r = (x * 10 + y) * f();
    if (!(r == 11 || r == 16 || r == 51 || r == 56))
        reach_error();
    return 0;
}
