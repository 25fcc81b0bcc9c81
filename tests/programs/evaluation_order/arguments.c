// expect: true
// Arguments are evaluated in any order; there is no other outcome.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }
int pair(int v, int w) { return v * 10 + w; }

int main(void) {
    int r = pair(x, f());
    if (!(r == 1 || r == 51))
        reach_error();
    return 0;
}
