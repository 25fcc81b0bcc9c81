// expect: false(unreach-call)
// A call may come between the operands of && beside it; from left to right it would not be so.
void reach_error(void);

int x = 1, y = 1;
int f(void) { x = 0; y = 2; return 0; }

int main(void) {
    int r = (x && y == 2) + f();
    if (r == 1)
        reach_error();
    return 0;
}
