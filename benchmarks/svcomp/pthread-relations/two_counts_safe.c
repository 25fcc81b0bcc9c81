/* Two threads count to the same input, each with a counter of its own. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern int __VERIFIER_nondet_int(void);

int limit, evens, odds;

void *count_evens(void *unused) {
  for (int i = 0; i < limit; i++)
    evens++;
  return 0;
}

void *count_odds(void *unused) {
  for (int i = 0; i < limit; i++)
    odds++;
  return 0;
}

int main(void) {
  pthread_t first, second;
  limit = __VERIFIER_nondet_int();
  if (limit > 100000)
    return 0;
  pthread_create(&first, 0, count_evens, 0);
  pthread_create(&second, 0, count_odds, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  __VERIFIER_assert(evens == odds);
  return 0;
}
