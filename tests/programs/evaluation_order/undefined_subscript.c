// expect: unknown "unsequenced accesses to i"
// No sequence point lies between the accesses (C11 6.5p2).
void reach_error(void);

int a[4];

int main(void) {
    int i = 0;
    a[i] = i++;
    return 0;
}
