// expect: false(no-deadlock) args: --property no-deadlock
// A wait that could end by a request waits for ever where none is made.
#include <pthread.h>
#include <semaphore.h>

static sem_t work;
int cancels;

static void *waiter(void *unused) {
  sem_wait(&work);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&work, 0, 0);
  pthread_create(&thread, 0, waiter, 0);
  if (cancels)
    pthread_cancel(thread);
  pthread_join(thread, 0);
  return 0;
}
