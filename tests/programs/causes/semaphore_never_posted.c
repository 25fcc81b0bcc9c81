// expect: false(no-deadlock) args: --property no-deadlock
// cause: nobody is left to help
// One post for two that wait.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items;

static void *takes(void *arg) {
  sem_wait(&items);  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&items, 0, 0);
  pthread_create(&a, 0, takes, 0);
  pthread_create(&b, 0, takes, 0);
  sem_post(&items);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
