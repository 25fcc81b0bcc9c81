// expect: true
// A call beside ++ comes before its read or after its write; there is no other outcome.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }

int main(void) {
    int r = x++ + f();
    if (!((r == 6 && x == 6) || (r == 1 && x == 5)))
        reach_error();
    return 0;
}
