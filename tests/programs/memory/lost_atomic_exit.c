// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int main(void) {
  int *p = malloc(4);
  __VERIFIER_atomic_begin();
  p = 0;
  exit(0);
  __VERIFIER_atomic_end();
}
