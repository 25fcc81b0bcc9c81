// expect: false(unreach-call)
// Initialisers in braces are evaluated in any order; from left to right it would not be so.
void reach_error(void);

int x;
int f(void) { x = 5; return 1; }
int g(void) { x = 7; return 2; }
struct pair { int v, w; };

int main(void) {
    struct pair p = {f(), g()};
    int b[2] = {x, f()};
    if (p.v != 1 || p.w != 2)
        reach_error();
    if (b[0] == 5 && x == 5)
        reach_error();
    return 0;
}
