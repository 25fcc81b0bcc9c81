/* LW(N), the last write: N tasks write different values; when all are done, one value is read.
   Determined but for what is done with the value: the paper explores one execution, so it is
   compared only, and the comparison always holds. */
#include <assert.h>

#include "tasks.h"

int x;

void *__VERIFIER_atomic_write(void *value) {
  x = (int)(long)value;
  return 0;
}

void __VERIFIER_atomic_check(void) { assert(x <= N); }

int main(void) {
  pthread_t thread[N];
  __VERIFIER_atomic_begin();
  for (long i = 0; i < N; i++)
    pthread_create(&thread[i], 0, __VERIFIER_atomic_write, (void *)(i + 1));
  __VERIFIER_atomic_end();
  for (int i = 0; i < N; i++)
    pthread_join(thread[i], 0);
  __VERIFIER_atomic_check();
  return 0;
}
