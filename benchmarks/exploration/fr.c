/* FR(N), the floating read: N tasks write different values, and one task reads.
   Determined: N writers and a reader, as for ODPOR with observers; the values 1 to N are a guess. */
#include "tasks.h"

int x, seen;

void *__VERIFIER_atomic_write(void *value) {
  x = (int)(long)value;
  return 0;
}

void *__VERIFIER_atomic_read(void *unused) {
  seen = x;
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
