/* Lam(N): Lamport's fast mutual exclusion ([FastMutex87], algorithm 2), N threads that enter once;
   every access is a task, every wait an assumption.
   Determined but for the waits and for what is done inside: one write and one read. */
#include <assert.h>

#include "tasks.h"

int b[N + 1], x, y, inside;

void *enter_and_leave(void *number) {
  int i = (int)(long)number;
  for (;;) {
    b[i] = 1;
    x = i;
    if (y != 0) {
      b[i] = 0;
      __VERIFIER_assume(y == 0);
      continue;
    }
    y = i;
    if (x != i) {
      b[i] = 0;
      for (int j = 1; j <= N; j++)
        __VERIFIER_assume(b[j] == 0);
      if (y != i) {
        __VERIFIER_assume(y == 0);
        continue;
      }
    }
    break;
  }
  inside = i;
  assert(inside == i);
  y = 0;
  b[i] = 0;
  return 0;
}

int main(void) {
  __VERIFIER_atomic_begin();
  for (long i = 1; i <= N; i++)
    post(enter_and_leave, i);
  __VERIFIER_atomic_end();
  pthread_exit(0);
}
