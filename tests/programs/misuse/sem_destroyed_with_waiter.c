// expect: false(no-misuse) args: --property no-misuse
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *worker(void *arg) {
  sem_wait(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, worker, 0);
  sem_destroy(&s);
  pthread_join(t, 0);
  return 0;
}
