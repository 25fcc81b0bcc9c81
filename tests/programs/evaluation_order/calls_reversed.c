// expect: false(unreach-call)
// Of two calls either may come first; from left to right it would not be so.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }

int main(void) {
    int r = f() + g();
    if (r != 3)
        reach_error();
    if (x == 5)
        reach_error();
    return 0;
}
