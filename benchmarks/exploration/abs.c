/* abs(N): two threads of N tasks each write a variable, one the values 1 to N, the other one -1 to
   -N; when both are done, a task compares the absolute value of the last one.
   Guessed: the paper says only that it is similar to its example (two writes and an assertion); the
   assertion holds always, and observers tell two executions apart at every size. */
#include <assert.h>

#include "tasks.h"

int x;

void __VERIFIER_atomic_write(int value) { x = value; }

void *writer(void *sign) {
  for (int i = 1; i <= N; i++)
    __VERIFIER_atomic_write((int)(long)sign * i);
  return 0;
}

void __VERIFIER_atomic_check(void) { assert((x < 0 ? -x : x) == N); }

int main(void) {
  pthread_t positive, negative;
  __VERIFIER_atomic_begin();
  pthread_create(&positive, 0, writer, (void *)1L);
  pthread_create(&negative, 0, writer, (void *)-1L);
  __VERIFIER_atomic_end();
  pthread_join(positive, 0);
  pthread_join(negative, 0);
  __VERIFIER_atomic_check();
  return 0;
}
