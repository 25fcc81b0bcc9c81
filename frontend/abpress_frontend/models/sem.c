/* Semaphores (POSIX.1-2017 sem_*). No signals, so no EINTR. Using one that is not initialised or
   destroyed is undefined (glibc: zeroed memory is one at 0). */
#include <abpress.h>
#include <errno.h>
#include <semaphore.h>

int sem_init(sem_t *semaphore, int pshared, unsigned int value) {
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (__abp_creation_may_fail && __abp_nondet_bool()) {
    errno = ENOSPC;
    return -1;
  }
  /* Initialising a semaphore again is undefined: glibc overwrites it. */
  __abp_atomic_begin();
  semaphore->count = value + 1;
  if (__abp_misuse_counts)
    semaphore->waiting = 0;
  __abp_atomic_end();
  return 0;
}

/* Undefined while threads wait: then a waiting thread meets the destroyed semaphore. */
int sem_destroy(sem_t *semaphore) {
  __abp_atomic_begin();
  if (semaphore->count == 0)
    __abp_misuse("a semaphore is destroyed that is not initialised or destroyed");
  if (__abp_misuse_counts && semaphore->waiting != 0)
    __abp_misuse("a semaphore is destroyed while threads wait");
  semaphore->count = 0;
  __abp_atomic_end();
  return 0;
}

int sem_wait(sem_t *semaphore) {
  unsigned int count;
  int cancelled = 0;
  if (__abp_misuse_counts) {
    __abp_atomic_begin();
    if (semaphore->count == 1)
      semaphore->waiting = semaphore->waiting | (__abp_set_t)1 << __abp_self();
    __abp_atomic_end();
  }
  __abp_atomic_begin();
  count = semaphore->count;
  if (count == 0)
    __abp_misuse("a thread waits for a semaphore that is not initialised or destroyed");
  if (__abp_cancels && __abp_nondet_bool()) {
    __abp_await(__abp_is_cancelled());
    cancelled = 1;
  } else {
    __abp_await(count != 1);
    semaphore->count = count - 1;
  }
  if (__abp_misuse_counts)
    semaphore->waiting = semaphore->waiting & ~((__abp_set_t)1 << __abp_self());
  __abp_atomic_end();
  if (cancelled)
    __abp_act_on_cancellation();
  return 0;
}

/* Decrements and returns 0, or returns -1 where that is not possible now. */
static int __abp_sem_try(sem_t *semaphore) {
  int result = 0;
  unsigned int count;
  __abp_atomic_begin();
  count = semaphore->count;
  if (count == 0)
    __abp_misuse("a thread waits for a semaphore that is not initialised or destroyed");
  if (count == 1)
    result = -1;
  else
    semaphore->count = count - 1;
  __abp_atomic_end();
  return result;
}

int sem_trywait(sem_t *semaphore) {
  int result = __abp_sem_try(semaphore);
  if (result != 0)
    errno = EAGAIN;
  return result;
}

/* While the value is 0 the deadline may pass at any time: waiting needs no step of its own. An invalid
   one is found at once (glibc 2.21 and later), or if there would be something to wait for. */
int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  int result = -1;
  int valid = __abp_is_time(deadline);
  if (valid || __abp_nondet_bool())
    result = __abp_sem_try(semaphore);
  if (result != 0)
    errno = valid ? ETIMEDOUT : EINVAL;
  return result;
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  if (!__abp_has_deadlines(clock)) {
    errno = EINVAL;
    return -1;
  }
  return sem_timedwait(semaphore, deadline);
}

/* Beyond the greatest value: EOVERFLOW, and the value stays (glibc; POSIX since 2008 TC). */
int sem_post(sem_t *semaphore) {
  int result = 0;
  unsigned int count;
  __abp_atomic_begin();
  count = semaphore->count;
  if (count == 0)
    __abp_misuse("a semaphore is posted that is not initialised or destroyed");
  if (count > SEM_VALUE_MAX)
    result = -1;
  else
    semaphore->count = count + 1;
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
  if (count == 0)
    __abp_misuse("a semaphore is read that is not initialised or destroyed");
  __abp_atomic_end();
  *value = (int)(count - 1);
  return 0;
}
