/* FR-a(N): as FR(N), but what is read is compared only, and the comparison always holds.
   Determined: the paper explores one execution, so the assertion is true in all of them. */
#include <assert.h>

#include "tasks.h"

int x;

void *__VERIFIER_atomic_write(void *value) {
  x = (int)(long)value;
  return 0;
}

void *__VERIFIER_atomic_check(void *unused) {
  assert(x <= N);
  return 0;
}

int main(void) {
  __VERIFIER_atomic_begin();
  for (long i = 1; i <= N; i++)
    post(__VERIFIER_atomic_write, i);
  post(__VERIFIER_atomic_check, 0);
  __VERIFIER_atomic_end();
  pthread_exit(0);
}
