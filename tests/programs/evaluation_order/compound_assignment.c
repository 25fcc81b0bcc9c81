// expect: true
// The left side of a compound assignment may be read before the call on its right; there is no other outcome.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }

int main(void) {
    x = 1;
    x += f();
    if (!(x == 2 || x == 6))
        reach_error();
    return 0;
}
