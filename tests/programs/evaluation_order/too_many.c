// expect: unknown "too many orders of evaluation"
// Each call writes x, so that their order matters; there are 12! of them.
void reach_error(void);

int x;
int f(int v) { x = x * 3 + v; return v; }

int main(void) {
    int r = f(1) + f(2) + f(3) + f(4) + f(5) + f(6) + f(7) + f(8) + f(9) + f(10) + f(11) + f(12);
    if (r != 78)
        reach_error();
    return 0;
}
