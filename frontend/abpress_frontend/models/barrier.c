/* Barriers (POSIX.1-2017 pthread_barrier_*). The last thread to arrive releases the others by
   taking them out of `waiting`; so a slow one is not confused by later rounds. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

/* What stands for this thread in sets: another one may have the same. NOTE(bits-in-common) */
#define BIT ((__abp_set_t)1 << (__abp_self() & 255))

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr,
                         unsigned int count) {
  if (__abp_reads_text && attr != 0)
    (void)attr->pshared;
  if (count == 0)
    return EINVAL;
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return __abp_nondet_bool() ? EAGAIN : ENOMEM;
  /* Initialising a barrier again is undefined: glibc overwrites it. */
  __abp_atomic_begin();
  barrier->total = count;
  barrier->arrived = 0;
  barrier->waiting = 0;
  barrier->serial = 0;
  if (__abp_reads_text)
    barrier->odd = 0;
  if (__abp_barriers_destroyed)
    barrier->leaving = 0;
  __abp_atomic_end();
  return 0;
}

/* Undefined while threads wait. Those that may go on are waited for (glibc): the memory of a barrier
   that was destroyed can be used for something else. */
int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  __abp_atomic_begin();
  if (barrier->total == 0)
    __abp_misuse("a barrier is destroyed that is not initialised");
  if (barrier->arrived != 0)
    __abp_misuse("a barrier is destroyed while threads wait");
  __abp_await(barrier->leaving == 0);
  barrier->total = 0;
  __abp_atomic_end();
  return 0;
}

/* Any one of the threads that meet is the serial one. */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  int last = 0;
  int serial = 0;
  __abp_atomic_begin();
  if (barrier->total == 0)
    __abp_misuse("a thread waits at a barrier that is not initialised");
  if (barrier->arrived + 1 == barrier->total) {
    __abp_set_t self = BIT;
    last = 1;
    if (__abp_serial_is_told) {
      __abp_set_t chosen = __abp_choose_bit(barrier->waiting | self);
      if (chosen == self && ((barrier->waiting & self) == 0 || __abp_nondet_bool()))
        serial = PTHREAD_BARRIER_SERIAL_THREAD;
      else
        barrier->serial = barrier->serial | chosen;
    }
    if (__abp_barriers_destroyed)
      barrier->leaving = barrier->leaving | barrier->waiting;
    barrier->arrived = 0;
    barrier->waiting = 0;
    if (__abp_reads_text)
      barrier->odd = barrier->odd == 0;
  } else {
    barrier->arrived = barrier->arrived + 1;
    barrier->waiting = barrier->waiting | BIT;
  }
  __abp_atomic_end();
  if (last)
    return serial;
  __abp_atomic_begin();
  __abp_await((barrier->waiting & BIT) == 0);
  if (__abp_barriers_destroyed)
    barrier->leaving = barrier->leaving & ~BIT;
  if (__abp_serial_is_told && (barrier->serial & BIT) != 0) {
    barrier->serial = barrier->serial & ~BIT;
    serial = PTHREAD_BARRIER_SERIAL_THREAD;
  }
  __abp_atomic_end();
  return serial;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return ENOMEM;
  attr->pshared = PTHREAD_PROCESS_PRIVATE;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
  if (__abp_reads_text)
    (void)attr->pshared;
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *pshared) {
  *pshared = attr->pshared;
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int pshared) {
  if (pshared != PTHREAD_PROCESS_PRIVATE && pshared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  attr->pshared = pshared;
  return 0;
}
