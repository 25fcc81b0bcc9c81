#ifndef ABPRESS_SEMAPHORE_H
#define ABPRESS_SEMAPHORE_H
#include <abpress_base.h>
#include <time.h>

/* count: the value plus 1; 0: not initialised, or destroyed. waiting: who waits (kept where misuse
   counts). */
typedef struct {
  unsigned int count;
  __abp_users_t waiting;
} sem_t;

#define SEM_VALUE_MAX 2147483647
#define SEM_FAILED ((sem_t *)0)

int sem_init(sem_t *semaphore, int pshared, unsigned int value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *deadline);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);

#endif
