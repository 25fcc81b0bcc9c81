// expect: false(unreach-call)
// Both sides of an assignment may call; from left to right it would not be so.
void reach_error(void);

int y, a;
int *left(void) { y = y * 2 + 1; return &a; }
int right(void) { y = y * 3 + 1; return 4; }

int main(void) {
    *left() = right();
    if (a != 4)
        reach_error();
    if (y == 4)
        reach_error();
    return 0;
}
