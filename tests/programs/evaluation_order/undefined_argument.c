// expect: unknown "unsequenced accesses to i"
// No sequence point lies between the accesses (C11 6.5p2).
void reach_error(void);

int f(int v, int w) { return v + w; }

int main(void) {
    int i = 0;
    return f(i, i++);
    return 0;
}
