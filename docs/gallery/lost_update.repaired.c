#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int visitors;

static void *enter(void *unused) {
  visitors++;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, enter, NULL);
  pthread_create(&second, NULL, enter, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(visitors == 2);
  return 0;
}
