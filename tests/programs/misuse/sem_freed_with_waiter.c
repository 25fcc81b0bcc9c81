// expect: false(no-misuse) "the lifetime of sem_t@18" args: --property no-misuse --engine explicit
// Freed while the other thread waits: it waits from the beginning to the end.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *waited;
static int begun;

static void *worker(void *arg) {
  begun = 1;
  sem_wait(waited);
  return 0;
}

int main(void) {
  pthread_t t;
  waited = malloc(sizeof *waited);
  sem_init(waited, 0, 0);
  pthread_create(&t, 0, worker, 0);
  if (begun)
    free(waited);
  return 0;
}
