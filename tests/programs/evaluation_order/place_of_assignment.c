// expect: true
// The left side of an assignment may be evaluated first; there is no other outcome.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }
int a[8];

int main(void) {
    x = 3;
    a[x] = f();
    if (!(a[3] + a[5] == 1))
        reach_error();
    return 0;
}
