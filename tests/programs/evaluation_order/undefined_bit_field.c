// expect: unknown "unsequenced accesses to s"
// A bit-field is read beside a write of the same one (C11 6.5p2).
struct {
    unsigned a : 4, b : 4;
} s;

int main(void) {
    return (s.a = 1) + s.a;
}
