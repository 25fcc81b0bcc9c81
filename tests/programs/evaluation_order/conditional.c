// expect: true
// A call may come between the operands of && beside it; there is no other outcome.
void reach_error(void);

int x = 1, y = 1;
int f(void) { x = 0; y = 2; return 0; }

int main(void) {
    int r = (x && y == 2) + f();
    if (!(r == 0 || r == 1))
        reach_error();
    return 0;
}
