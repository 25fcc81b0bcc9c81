// expect: false(unreach-call)
// The left side of an assignment may be evaluated first; from left to right it would not be so.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }
int a[8];

int main(void) {
    x = 3;
    a[x] = f();
    if (a[3] == 1)
        reach_error();
    return 0;
}
