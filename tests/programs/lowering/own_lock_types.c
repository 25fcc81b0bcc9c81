// expect: true
/* Names of C11 threads and semaphores, for types and functions of the program's own. */
#include <assert.h>

typedef struct {
  int locked;
} mtx_t;

typedef struct {
  int value;
} sem_t;

int sem_wait(sem_t *s) { return s->value--; }

mtx_t mutex;
sem_t semaphore = {3};

static void lock(mtx_t *m) { m->locked = 1; }

int main(void) {
  lock(&mutex);
  sem_wait(&semaphore);
  assert(mutex.locked == 1 && semaphore.value == 2);
  return 0;
}
