// expect: unknown "call of sin: libraries differ in the last digits of its results"
#include <math.h>

int main(void) { return sin(1) > 1; }
