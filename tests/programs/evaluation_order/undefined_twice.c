// expect: unknown "unsequenced accesses to x"
// No sequence point lies between the accesses (C11 6.5p2).
void reach_error(void);

int x;

int main(void) {
    x = x++ + x++;
    return 0;
}
