// expect: unknown "the sign of a NaN"
// NOTE(one-nan): it is set on x86, and not set where compilers compute it.
#include <math.h>

double zero;

int main(void) { return signbit(zero / zero); }
