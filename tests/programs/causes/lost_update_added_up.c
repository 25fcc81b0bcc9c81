// expect: false(unreach-call) args: --property unreach-call
// cause: lost update
// Counters are added up in the end; the greatest value beside them is atomic, and well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int counts[3];
static atomic_int highest;

static void count(int kind, int latency) {
  counts[kind]++;  // <-
  int before = highest;
  while (latency > before && !atomic_compare_exchange_weak(&highest, &before, latency)) {
  }
}

static void *worker(void *arg) {
  int id = (int)(long)arg;
  for (int i = 0; i < 3; i++) count((id + i) % 3, id * 100 + i);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  int sum = 0;
  for (int kind = 0; kind < 3; kind++) sum += counts[kind];
  assert(sum == 9);
  return 0;
}
