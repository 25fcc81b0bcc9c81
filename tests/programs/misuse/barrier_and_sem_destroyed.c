// expect: true args: --property no-misuse
// Both are destroyed when nobody uses them any more.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static pthread_barrier_t b;

static void *worker(void *arg) {
  pthread_barrier_wait(&b);
  sem_wait(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, worker, 0);
  pthread_barrier_wait(&b);
  sem_post(&s);
  pthread_join(t, 0);
  pthread_barrier_destroy(&b);
  sem_destroy(&s);
  return 0;
}
