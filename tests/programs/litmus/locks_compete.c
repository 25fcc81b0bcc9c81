// expect: false(unreach-call)
// NOTE(locks-are-cells): two locks of one mutex depend on one another; both orders are explored.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int first;

void *locks(void *argument) {
  pthread_mutex_lock(&mutex);
  if (first == 0)
    first = argument ? 2 : 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, locks, 0);
  pthread_create(&b, 0, locks, &first);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first == 1);
  return 0;
}
