// expect: false(unreach-call)
// A call may come between the operands of its sibling; from left to right it would not be so.
void reach_error(void);

int x = 1, y = 1;
int f(void) { x = 5; y = 6; return 1; }

int main(void) {
    int r = (x * 10 + y) * f();
    if (r == 16)
        reach_error();
    return 0;
}
