// expect: unknown "unsequenced accesses to u"
// A byte of an integer is read beside a write of the integer (C11 6.5p2).
union {
    int all;
    char bytes[4];
} u;

int main(void) {
    return (u.all = 1) + u.bytes[0];
}
