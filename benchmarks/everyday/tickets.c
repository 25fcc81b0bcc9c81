/* A ticket lock. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int count;

static void *work(void *unused) {
  unsigned mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != mine) sched_yield();
  count++;
  atomic_fetch_add(&serving, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
