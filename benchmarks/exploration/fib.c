/* Fib(N): the Fibonacci numbers by one thread per call. Its first task posts the calls for N - 1 and
   N - 2; its second one runs when both results have arrived, and adds its own one to the caller's.
   Guessed: that results are added where they arrive. The depth of traces is that of the paper. */
#include "tasks.h"

#define CALLS (1 << N)

int missing[CALLS], sum[CALLS]; /* call k posts the calls 2k and 2k + 1; the first one is 1 */

void *fib(void *argument) {
  int call = (int)((long)argument >> 8), n = (int)((long)argument & 255);
  if (n >= 2) {
    __VERIFIER_atomic_begin();
    missing[call] = 2;
    post(fib, (2L * call) << 8 | (n - 1));
    post(fib, (2L * call + 1) << 8 | (n - 2));
    __VERIFIER_atomic_end();
  }
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(missing[call] == 0);
  missing[call / 2]--;
  sum[call / 2] += n < 2 ? n : sum[call];
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  post(fib, 1L << 8 | N);
  pthread_exit(0);
}
