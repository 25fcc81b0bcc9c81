// expect: true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct job {
  int number;
  sem_t ready;
  pthread_rwlock_t lock;
  pthread_barrier_t meeting;
  int last;
} job, jobs[3];

static char room[100];

int main(void) {
  size_t size = sizeof(sem_t);
  char *at = room + size;
  memset(at, 1, 1);
  assert(room[32] == 1 && room[31] == 0);
  size -= 8;
  assert(size == 24 && sizeof(pthread_rwlock_t) == 56 && sizeof(pthread_barrier_t) == 32);
  assert(sizeof(pthread_mutexattr_t) == 4 && sizeof(pthread_condattr_t) == 4);
  assert(sizeof(pthread_rwlockattr_t) == 8 && sizeof(pthread_barrierattr_t) == 4);
  assert((char *)&job.last - (char *)&job == 128);
  assert((size_t)&((struct job *)0)->last == offsetof(struct job, last));
  assert((char *)&jobs[2] - (char *)jobs == 272);
  return 0;
}
