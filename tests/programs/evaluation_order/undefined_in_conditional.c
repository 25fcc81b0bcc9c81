// expect: unknown "unsequenced accesses to i"
// No sequence point lies between the accesses (C11 6.5p2).
void reach_error(void);

int x, y;

int main(void) {
    int i = 1;
    return (x ? i++ : i--) + (y ? 0 : i++);
    return 0;
}
