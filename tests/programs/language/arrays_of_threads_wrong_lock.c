// expect: false(unreach-call)
// The same with one counter under two locks.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter;

static void *worker(void *argument) {
  pthread_mutex_t *lock = &locks[*(int *)argument];
  pthread_mutex_lock(lock);
  int seen = counter;
  counter = seen + 1;
  pthread_mutex_unlock(lock);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int arguments[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    pthread_create(threads + i, 0, worker, &arguments[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
