// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t places;
int inside;

void *worker(void *unused) {
  sem_wait(&places);
  assert(!inside);
  inside = 1;
  inside = 0;
  sem_post(&places);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&places, 0, 2);
  pthread_create(&t, 0, worker, 0);
  worker(0);
  return 0;
}
