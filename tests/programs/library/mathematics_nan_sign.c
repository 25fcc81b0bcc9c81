// expect: unknown "the sign of a NaN"
// It is set on x86, and not set where compilers compute it.
#include <math.h>

double zero;

int main(void) { return signbit(zero / zero); }
