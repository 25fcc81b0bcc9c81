// expect: true
// Of two calls either may come first; there is no other outcome.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }

int main(void) {
    int r = f() + g();
    if (r != 3)
        reach_error();
    if (!(x == 5 || x == 7))
        reach_error();
    return 0;
}
