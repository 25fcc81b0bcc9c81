/* C11 threads count with an atomic number and under a mutex. */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int hits;
static int misses;
static mtx_t lock;

static int work(void *argument) {
  atomic_fetch_add(&hits, *(int *)argument);
  mtx_lock(&lock);
  misses++;
  mtx_unlock(&lock);
  return thrd_success;
}

int main(void) {
  thrd_t threads[2];
  int steps[2] = {1, 2}, result;
  if (mtx_init(&lock, mtx_plain) != thrd_success) return 1;
  for (int i = 0; i < 2; i++) thrd_create(&threads[i], work, &steps[i]);
  for (int i = 0; i < 2; i++) thrd_join(threads[i], &result);
  assert(atomic_load(&hits) == 3 && misses == 2 && result == thrd_success);
  mtx_destroy(&lock);
  return 0;
}
