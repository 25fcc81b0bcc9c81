/* Mutexes (POSIX.1-2017 pthread_mutex_*; where POSIX leaves it open, glibc).

   Assumed: a deadline may pass before the call; no priority ceilings. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

/* The kind of mutexes that are said to be normal. What nothing is said of is PTHREAD_MUTEX_DEFAULT,
   which has the same number in programs, but may not be relocked. */
#define __ABP_NORMAL 4

/* What the kind of a robust mutex also tells: its owner has ended, and nobody has made its state
   consistent since; it was unlocked so. NOTE(robust-mutexes) */
#define __ABP_INCONSISTENT 16
#define __ABP_UNUSABLE 32

#define __ABP_TYPES 7
#define __ABP_TYPE(kind) (__abp_robust ? (kind) & __ABP_TYPES : (kind))
#define __ABP_IS_ROBUST(mutex) (__abp_robust && ((mutex)->kind & __ABP_ROBUST) != 0)

/* The robust mutexes that this thread holds. */
#define MOST_ROBUST 8
static _Thread_local unsigned int __abp_robust_count;
static _Thread_local pthread_mutex_t *__abp_robust_held[MOST_ROBUST];

/* A mutex that is free is taken, in programs with robust ones, if it can be used; inside the
   caller's atomic block. */
int __abp_take(pthread_mutex_t *mutex) {
  if ((mutex->kind & __ABP_ROBUST) == 0) {
    mutex->owner = __abp_self();
    return 0;
  }
  if ((mutex->kind & __ABP_UNUSABLE) != 0)
    return ENOTRECOVERABLE;
  if (__abp_robust_count == MOST_ROBUST)
    __abp_cut("more than 8 robust mutexes of a thread");
  __abp_robust_held[__abp_robust_count] = mutex;
  __abp_robust_count = __abp_robust_count + 1;
  mutex->owner = __abp_self();
  return (mutex->kind & __ABP_INCONSISTENT) != 0 ? EOWNERDEAD : 0;
}

/* A mutex that this thread holds once is released, in programs with robust ones; inside the caller's
   atomic block. */
void __abp_release(pthread_mutex_t *mutex) {
  if ((mutex->kind & __ABP_ROBUST) != 0) {
    unsigned int k = __abp_robust_count - 1;
    __abp_robust_count = k;
    while (k > 0 && __abp_robust_held[k] != mutex)
      k = k - 1;
    for (; k < __abp_robust_count; k++)
      __abp_robust_held[k] = __abp_robust_held[k + 1];
    __abp_robust_held[k] = 0;
    if ((mutex->kind & __ABP_INCONSISTENT) != 0)
      mutex->kind = mutex->kind | __ABP_UNUSABLE;
  }
  mutex->owner = 0;
}

/* Mutexes that end with their owner are free, and their state is what he left: the last one first,
   as the kernel of Linux does it. */
void __abp_thread_exit_robust(void) {
  while (__abp_robust_count != 0) {
    pthread_mutex_t *mutex;
    __abp_atomic_begin();
    __abp_robust_count = __abp_robust_count - 1;
    mutex = __abp_robust_held[__abp_robust_count];
    __abp_robust_held[__abp_robust_count] = 0;
    if (mutex->owner == __abp_self()) {
      mutex->kind = mutex->kind | __ABP_INCONSISTENT;
      mutex->count = 0;
      mutex->owner = 0;
    }
    __abp_atomic_end();
  }
}

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
  if (__ABP_IS_ROBUST(mutex) &&
      (mutex->kind & (__ABP_INCONSISTENT | __ABP_UNUSABLE)) == __ABP_INCONSISTENT)
    __abp_cut("a robust mutex is destroyed whose owner has ended");
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
      __abp_misuse("a mutex is locked that is destroyed or not initialised");
    __abp_await(owner == 0);
    if (__abp_robust)
      result = __abp_take(mutex);
    else
      mutex->owner = __abp_self();
  } else if (__ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_RECURSIVE) {
    mutex->count = mutex->count + 1;
  } else if (__ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_ERRORCHECK) {
    result = EDEADLK;
  } else {
    /* A normal mutex: it waits for ever. For the default kind that is undefined, and may be so. */
    if ((__abp_misuse_counts || __ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_DEFAULT) &&
        __abp_nondet_bool())
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
  if (owner == 0 && __abp_robust)
    result = __abp_take(mutex);
  else if (owner == 0)
    mutex->owner = __abp_self();
  else if (owner == __ABP_DESTROYED)
    __abp_misuse("a mutex is locked that is destroyed or not initialised");
  else if (owner == __abp_self() && __ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_RECURSIVE)
    mutex->count = mutex->count + 1;
  else
    result = EBUSY;
  __abp_atomic_end();
  return result;
}

/* While another thread holds the mutex the deadline may pass at any time: so waiting needs no step
   of its own, being late does. A mutex that is free is taken even after the deadline (POSIX), and if it
   is invalid (glibc). */
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
  int result = 0;
  __abp_id_t owner;
  int valid = __abp_is_time(deadline);
  __abp_atomic_begin();
  owner = mutex->owner;
  if (owner == 0 && __abp_robust)
    result = __abp_take(mutex);
  else if (owner == 0)
    mutex->owner = __abp_self();
  else if (owner == __ABP_DESTROYED)
    __abp_misuse("a mutex is locked that is destroyed or not initialised");
  else if (owner == __abp_self() && __ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_RECURSIVE)
    mutex->count = mutex->count + 1;
  else if (owner == __abp_self() && __ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_ERRORCHECK)
    result = EDEADLK;
  else
    result = valid ? ETIMEDOUT : EINVAL;
  __abp_atomic_end();
  return result;
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                            const struct timespec *deadline) {
  if (!__abp_has_deadlines(clock))
    return EINVAL;
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
    else if (__abp_robust)
      __abp_release(mutex);
    else
      mutex->owner = 0;
  } else if (owner == __ABP_DESTROYED) {
    __abp_misuse("a mutex is unlocked that is destroyed or not initialised");
  } else if (__ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_RECURSIVE ||
             __ABP_TYPE(mutex->kind) == PTHREAD_MUTEX_ERRORCHECK || __ABP_IS_ROBUST(mutex)) {
    if (__abp_robust && (mutex->kind & __ABP_UNUSABLE) != 0)
      __abp_misuse("a mutex is unlocked that is not recoverable");
    result = EPERM;
  } else {
    __abp_misuse("a mutex is unlocked that the thread does not hold");
  }
  __abp_atomic_end();
  return result;
}

/* By another thread than the one that holds it now: POSIX says nothing about it. */
int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  int result = EINVAL;
  __abp_atomic_begin();
  if (mutex->owner == __ABP_DESTROYED)
    __abp_misuse("a destroyed mutex is made consistent");
  if (__ABP_IS_ROBUST(mutex) &&
      (mutex->kind & (__ABP_INCONSISTENT | __ABP_UNUSABLE)) == __ABP_INCONSISTENT) {
    if (mutex->owner != __abp_self())
      __abp_cut("a mutex is made consistent by a thread that does not hold it");
    mutex->kind = mutex->kind & ~__ABP_INCONSISTENT;
    result = 0;
  }
  __abp_atomic_end();
  return result;
}

int pthread_mutex_consistent_np(pthread_mutex_t *mutex) { return pthread_mutex_consistent(mutex); }

int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling) {
  __abp_cut("the priority ceiling of a mutex is asked for");
  return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old) {
  __abp_cut("the priority ceiling of a mutex is changed");
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return ENOMEM;
  __abp_atomic_begin();
  attr->kind = PTHREAD_MUTEX_DEFAULT;
  attr->pshared = PTHREAD_PROCESS_PRIVATE;
  attr->protocol = PTHREAD_PRIO_NONE;
  attr->ceiling = 1;
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
  int type = __ABP_TYPE(attr->kind);
  *kind = type == __ABP_NORMAL ? PTHREAD_MUTEX_NORMAL : type;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind) {
  if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ADAPTIVE_NP)
    return EINVAL;
  if (kind == PTHREAD_MUTEX_NORMAL)
    kind = __ABP_NORMAL;
  attr->kind = __abp_robust ? (attr->kind & __ABP_ROBUST) | kind : kind;
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

/* glibc takes the priorities of SCHED_FIFO, and begins with the least one. */
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attr, int *ceiling) {
  *ceiling = attr->ceiling;
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
  if (ceiling < 1 || ceiling > 99)
    return EINVAL;
  attr->ceiling = ceiling;
  return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
  int set = (attr->kind & __ABP_ROBUST) != 0;
  *robust = set ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED;
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST)
    return EINVAL;
  attr->kind = attr->kind & __ABP_TYPES;
  if (robust == PTHREAD_MUTEX_ROBUST)
    attr->kind = attr->kind | __ABP_ROBUST;
  return 0;
}

int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *attr, int *robust) {
  return pthread_mutexattr_getrobust(attr, robust);
}

int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *attr, int robust) {
  return pthread_mutexattr_setrobust(attr, robust);
}
