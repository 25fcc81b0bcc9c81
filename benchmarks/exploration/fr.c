/* FR(N), the floating read: N tasks write different values, and one task looks at the last one.
   Determined: N writers and a reader, as for ODPOR with observers. The paper tells fewer executions
   apart than there are values to read; that the reader compares, and that one value is told from
   the others, is a guess. */
#include "tasks.h"

int x, less;

void *__VERIFIER_atomic_write(void *value) {
  x = (int)(long)value;
  return 0;
}

void *__VERIFIER_atomic_read(void *unused) {
  less = x < N;
  return 0;
}

int main(void) {
  __VERIFIER_atomic_begin();
  for (long i = 1; i <= N; i++)
    post(__VERIFIER_atomic_write, i);
  post(__VERIFIER_atomic_read, 0);
  __VERIFIER_atomic_end();
  pthread_exit(0);
}
