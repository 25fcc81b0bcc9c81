/* Mutexes (POSIX.1-2017 pthread_mutex_*; where POSIX leaves it open, glibc).

   Assumed: a deadline is valid (no EINVAL) and may pass before the call; no priority ceilings. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

/* The kind of mutexes that are said to be normal. What nothing is said of is PTHREAD_MUTEX_DEFAULT,
   which has the same number in programs, but may not be relocked. */
#define __ABP_NORMAL 4

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
  int kind = PTHREAD_MUTEX_DEFAULT;
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return __abp_nondet_bool() ? EAGAIN : ENOMEM;
  if (attr != 0)
    kind = attr->kind;
  /* Initialising a mutex again is undefined: glibc overwrites it. */
  __abp_atomic_begin();
  mutex->owner = 0;
  mutex->count = 0;
  mutex->kind = kind;
  __abp_atomic_end();
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  __abp_atomic_begin();
  if (mutex->owner == __ABP_DESTROYED)
    __abp_misuse("a destroyed mutex is destroyed again");
  if (mutex->owner != 0)
    __abp_misuse("a mutex is destroyed while it is locked");
  mutex->owner = __ABP_DESTROYED;
  mutex->kind = 0;
  __abp_atomic_end();
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int result = 0;
  __abp_id_t owner;
  __abp_atomic_begin();
  owner = mutex->owner;
  if (owner != __abp_self()) {
    if (owner == __ABP_DESTROYED)
      __abp_misuse("a destroyed mutex is locked");
    __abp_await(owner == 0);
    mutex->owner = __abp_self();
  } else if (mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
    mutex->count = mutex->count + 1;
  } else if (mutex->kind == PTHREAD_MUTEX_ERRORCHECK) {
    result = EDEADLK;
  } else {
    /* A normal mutex: it waits for ever. For the default kind that is undefined, and may be so. */
    if ((__abp_misuse_counts || mutex->kind == PTHREAD_MUTEX_DEFAULT) && __abp_nondet_bool())
      __abp_misuse("a mutex is locked that the thread holds");
    __abp_await(owner == 0);
  }
  __abp_atomic_end();
  return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int result = 0;
  __abp_id_t owner;
  __abp_atomic_begin();
  owner = mutex->owner;
  if (owner == 0)
    mutex->owner = __abp_self();
  else if (owner == __ABP_DESTROYED)
    __abp_misuse("a destroyed mutex is locked");
  else if (owner == __abp_self() && mutex->kind == PTHREAD_MUTEX_RECURSIVE)
    mutex->count = mutex->count + 1;
  else
    result = EBUSY;
  __abp_atomic_end();
  return result;
}

/* While another thread holds the mutex the deadline may pass at any time: so waiting needs no step
   of its own, being late does. A mutex that is free is taken even after the deadline (POSIX). */
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
  int result = 0;
  __abp_id_t owner;
  __abp_read_deadline(deadline);
  __abp_atomic_begin();
  owner = mutex->owner;
  if (owner == 0)
    mutex->owner = __abp_self();
  else if (owner == __ABP_DESTROYED)
    __abp_misuse("a destroyed mutex is locked");
  else if (owner == __abp_self() && mutex->kind == PTHREAD_MUTEX_RECURSIVE)
    mutex->count = mutex->count + 1;
  else if (owner == __abp_self() && mutex->kind == PTHREAD_MUTEX_ERRORCHECK)
    result = EDEADLK;
  else
    result = ETIMEDOUT;
  __abp_atomic_end();
  return result;
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                            const struct timespec *deadline) {
  return pthread_mutex_timedlock(mutex, deadline);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int result = 0;
  __abp_id_t owner;
  __abp_atomic_begin();
  owner = mutex->owner;
  if (owner == __abp_self()) {
    if (mutex->count != 0)
      mutex->count = mutex->count - 1;
    else
      mutex->owner = 0;
  } else if (owner == __ABP_DESTROYED) {
    __abp_misuse("a destroyed mutex is unlocked");
  } else if (mutex->kind == PTHREAD_MUTEX_RECURSIVE || mutex->kind == PTHREAD_MUTEX_ERRORCHECK) {
    result = EPERM;
  } else {
    __abp_misuse("a mutex is unlocked that the thread does not hold");
  }
  __abp_atomic_end();
  return result;
}

/* Robust mutexes do not exist here (see setrobust), and of others this is POSIX's answer. */
int pthread_mutex_consistent(pthread_mutex_t *mutex) { return EINVAL; }

int pthread_mutex_consistent_np(pthread_mutex_t *mutex) { return EINVAL; }

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return ENOMEM;
  __abp_atomic_begin();
  attr->kind = PTHREAD_MUTEX_DEFAULT;
  attr->pshared = PTHREAD_PROCESS_PRIVATE;
  attr->protocol = PTHREAD_PRIO_NONE;
  __abp_atomic_end();
  return 0;
}

/* POSIX lets it make the object invalid; glibc does nothing. */
int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
  if (__abp_reads_text)
    (void)attr->kind;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *kind) {
  *kind = attr->kind == __ABP_NORMAL ? PTHREAD_MUTEX_NORMAL : attr->kind;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind) {
  if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  attr->kind = kind == PTHREAD_MUTEX_NORMAL ? __ABP_NORMAL : kind;
  return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *pshared) {
  *pshared = attr->pshared;
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int pshared) {
  if (pshared != PTHREAD_PROCESS_PRIVATE && pshared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  attr->pshared = pshared;
  return 0;
}

/* Priorities do not matter: every interleaving is explored anyway. */
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol) {
  *protocol = attr->protocol;
  return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT)
    return EINVAL;
  attr->protocol = protocol;
  return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
  *robust = PTHREAD_MUTEX_STALLED;
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
  if (robust == PTHREAD_MUTEX_ROBUST)
    __abp_cut("robust mutexes are not modelled");
  if (robust != PTHREAD_MUTEX_STALLED)
    return EINVAL;
  return 0;
}

int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *attr, int *robust) {
  return pthread_mutexattr_getrobust(attr, robust);
}

int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *attr, int robust) {
  return pthread_mutexattr_setrobust(attr, robust);
}
