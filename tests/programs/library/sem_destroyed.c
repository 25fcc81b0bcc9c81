// expect: unknown "not initialised or destroyed"
// main destroys the semaphore while the other thread may wait.
#include <pthread.h>
#include <semaphore.h>

sem_t items;

void *worker(void *unused) {
  sem_wait(&items);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&items, 0, 0);
  pthread_create(&t, 0, worker, 0);
  sem_destroy(&items);
  pthread_join(t, 0);
  return 0;
}
