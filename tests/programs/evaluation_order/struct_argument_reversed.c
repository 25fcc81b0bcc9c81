// expect: false(unreach-call)
// A struct may be read as an argument before or after a call beside it; from left to right it would not be so.
void reach_error(void);

struct s { int v; } g;
int change(void) { g.v = 9; return 0; }
int first(struct s a, int b) { return a.v; }

int main(void) {
    int r = first(g, change());
    if (r == 0)
        reach_error();
    return 0;
}
