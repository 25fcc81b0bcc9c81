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
  for (int i = 0; i < PARTS; i++) pthread_join(threads[i], NULL);
  assert(sum == 10 * PARTS);
  return 0;
}
