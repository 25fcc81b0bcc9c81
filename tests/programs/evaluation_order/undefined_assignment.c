// expect: unknown "unsequenced accesses to i"
// No sequence point lies between the accesses (C11 6.5p2).
void reach_error(void);

int main(void) {
    int i = 0;
    i = i++ + 1;
    return 0;
}
