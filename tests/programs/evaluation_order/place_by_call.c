// expect: true
// Both sides of an assignment may call; there is no other outcome.
void reach_error(void);

int y, a;
int *left(void) { y = y * 2 + 1; return &a; }
int right(void) { y = y * 3 + 1; return 4; }

int main(void) {
    *left() = right();
    if (a != 4)
        reach_error();
    if (!(y == 3 || y == 4))
        reach_error();
    return 0;
}
