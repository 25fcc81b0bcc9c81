// expect: true args: --property no-partial-deadlock
// Threads wait for each other's semaphore, which main posts; one gives up a lock that it cannot get.
// NOTE(circles-last)
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t s, t;

static void *one(void *arg) {
  sem_wait(&s);
  sem_post(&t);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *two(void *arg) {
  sem_wait(&t);
  sem_post(&s);
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0)
    pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}

int main(void) {
  pthread_t x, y;
  sem_init(&s, 0, 0);
  sem_init(&t, 0, 0);
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  sem_post(&s);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
