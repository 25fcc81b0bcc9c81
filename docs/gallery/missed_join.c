// Missed join
//
// Two threads add their parts to a sum, and main waits for one of them only before it looks: what it finds depends on how fast
// the other one is. That main waits for that one later, before it returns, does not help.
//
// repair: All threads are joined before their results are read.
// property: unreach-call
// cause: read too early
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PARTS = 2 };

static atomic_int sum;

static void *add(void *unused) {
  atomic_fetch_add(&sum, 10);
  return unused;
}

int main(void) {
  pthread_t threads[PARTS];
  for (int i = 0; i < PARTS; i++) pthread_create(&threads[i], NULL, add, NULL);
  pthread_join(threads[0], NULL);
  assert(sum == 10 * PARTS);
  pthread_join(threads[1], NULL);
  return 0;
}
