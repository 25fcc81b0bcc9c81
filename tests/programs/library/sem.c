// expect: true
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

sem_t items, full;
int x;

void *producer(void *unused) {
  x = 1;
  assert(sem_post(&items) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  int value;
  struct timespec deadline = {0, 0};
  assert(sem_init(&items, 0, 0) == 0);
  assert(sem_trywait(&items) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&items, &deadline) == -1 && errno == ETIMEDOUT);
  pthread_create(&t, 0, producer, 0);
  assert(sem_wait(&items) == 0);
  assert(x == 1);
  assert(sem_getvalue(&items, &value) == 0 && value == 0);
  assert(sem_post(&items) == 0 && sem_trywait(&items) == 0);
  pthread_join(t, 0);
  assert(sem_destroy(&items) == 0);
  assert(sem_init(&full, 0, SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
  assert(sem_init(&full, 0, SEM_VALUE_MAX) == 0);
  assert(sem_post(&full) == -1 && errno == EOVERFLOW);
  assert(sem_getvalue(&full, &value) == 0 && value == INT_MAX);
  return 0;
}
