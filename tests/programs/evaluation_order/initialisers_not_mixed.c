// expect: true
// Initialisers in braces come one after another; there is no other outcome.
void reach_error(void);

int x = 1;

int main(void) {
    int b[] = {x++, x++, x++};
    if (b[0] + b[1] + b[2] != 6 || x != 4)
        reach_error();
    if (!(b[0] >= 1 && b[0] <= 3))
        reach_error();
    return 0;
}
