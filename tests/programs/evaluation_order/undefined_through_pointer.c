// expect: unknown "unsequenced accesses to an object"
// No sequence point lies between the accesses (C11 6.5p2).
void reach_error(void);

int a[2], b[2];
int *choose(int v) { return v ? a : b; }

int main(void) {
    int *p = choose(1), *q = choose(1);
    return *p + (*q)++;
    return 0;
}
