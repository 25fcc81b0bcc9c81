// expect: true
#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct drand48_data state;
  unsigned short own[3] = {1, 2, 3};
  long n;
  assert(srand48_r(7, &state) == 0);
  assert(lrand48_r(&state, &n) == 0 && n >= 0 && n <= 0x7fffffff);
  assert(mrand48_r(&state, &n) == 0 && n >= -0x7fffffff - 1 && n <= 0x7fffffff);
  assert(nrand48(own) >= 0);
  return 0;
}
