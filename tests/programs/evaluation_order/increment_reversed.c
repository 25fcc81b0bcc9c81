// expect: false(unreach-call)
// A call beside ++ comes before its read or after its write; from left to right it would not be so.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }

int main(void) {
    int r = x++ + f();
    if (r == 6 && x == 6)
        reach_error();
    return 0;
}
