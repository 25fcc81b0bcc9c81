/* Semaphores (POSIX.1-2017 sem_*). ~0 marks a destroyed one. No signals, so no EINTR. Assumed: a
   deadline is valid (no EINVAL). */
#include <abpress.h>
#include <errno.h>
#include <semaphore.h>

int sem_init(sem_t *semaphore, int pshared, unsigned int value) {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  /* Initialising a semaphore again is undefined: glibc overwrites it. */
  __abp_atomic_begin();
  semaphore->count = value;
  __abp_atomic_end();
  return 0;
}

/* Undefined while threads wait: then a waiting thread meets the destroyed semaphore. */
int sem_destroy(sem_t *semaphore) {
  __abp_atomic_begin();
  if (semaphore->count == ~0u)
    __abp_fault("a destroyed semaphore is destroyed again");
  semaphore->count = ~0u;
  __abp_atomic_end();
  return 0;
}

int sem_wait(sem_t *semaphore) {
  __abp_atomic_begin();
  if (semaphore->count == ~0u)
    __abp_fault("a thread waits for a destroyed semaphore");
  __abp_await(semaphore->count != 0);
  semaphore->count = semaphore->count - 1;
  __abp_atomic_end();
  return 0;
}

int sem_trywait(sem_t *semaphore) {
  int result = 0;
  __abp_atomic_begin();
  if (semaphore->count == ~0u)
    __abp_fault("a thread waits for a destroyed semaphore");
  if (semaphore->count == 0)
    result = -1;
  else
    semaphore->count = semaphore->count - 1;
  __abp_atomic_end();
  if (result != 0)
    errno = EAGAIN;
  return result;
}

/* While the value is 0 the deadline may pass at any time: waiting needs no step of its own. */
int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  int result = 0;
  __abp_atomic_begin();
  if (semaphore->count == ~0u)
    __abp_fault("a thread waits for a destroyed semaphore");
  if (semaphore->count == 0)
    result = -1;
  else
    semaphore->count = semaphore->count - 1;
  __abp_atomic_end();
  if (result != 0)
    errno = ETIMEDOUT;
  return result;
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  return sem_timedwait(semaphore, deadline);
}

/* Beyond the greatest value: EOVERFLOW, and the value stays (glibc; POSIX since 2008 TC). */
int sem_post(sem_t *semaphore) {
  int result = 0;
  __abp_atomic_begin();
  if (semaphore->count == ~0u)
    __abp_fault("a destroyed semaphore is posted");
  if (semaphore->count == SEM_VALUE_MAX)
    result = -1;
  else
    semaphore->count = semaphore->count + 1;
  __abp_atomic_end();
  if (result != 0)
    errno = EOVERFLOW;
  return result;
}

/* 0 while threads wait (POSIX: or minus their number; Linux says 0). */
int sem_getvalue(sem_t *semaphore, int *value) {
  unsigned int count;
  __abp_atomic_begin();
  count = semaphore->count;
  __abp_atomic_end();
  if (count == ~0u)
    __abp_fault("a destroyed semaphore is read");
  *value = (int)count;
  return 0;
}
