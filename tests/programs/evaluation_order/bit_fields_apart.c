// expect: true
// Bit-fields of one unit are different objects: both may be accessed in any order.
void reach_error(void);

struct {
    unsigned a : 4, b : 4;
} s;

int main(void) {
    int sum = (s.a = 1) + (s.b = 2);
    if (sum != 3 || s.a != 1 || s.b != 2)
        reach_error();
    return 0;
}
