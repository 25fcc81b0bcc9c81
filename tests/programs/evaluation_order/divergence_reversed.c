// expect: false(unreach-call)
// A call may come before one that does not end; from left to right it would not be so.
void reach_error(void);

int spin(void) { for (;;) {} return 0; }
int wrong(void) { reach_error(); return 0; }

int main(void) {
    int r = spin() + wrong();
    if (0)
        reach_error();
    return 0;
}
