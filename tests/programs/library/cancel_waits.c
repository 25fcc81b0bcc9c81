// expect: true args: --property unreach-call --property no-deadlock
// A thread that waits for a semaphore, and one that waits for that thread.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t work;
static pthread_t first;

static void *waiter(void *unused) {
  sem_wait(&work);
  assert(0);
  return 0;
}

static void *joiner(void *unused) {
  pthread_join(first, 0);
  assert(0);
  return 0;
}

int main(void) {
  pthread_t second;
  void *result;
  sem_init(&work, 0, 0);
  pthread_create(&first, 0, waiter, 0);
  pthread_create(&second, 0, joiner, 0);
  pthread_cancel(second);
  pthread_join(second, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_cancel(first);
  pthread_join(first, &result);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
