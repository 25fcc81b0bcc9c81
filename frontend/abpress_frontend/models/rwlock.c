/* Reader-writer locks (POSIX.1-2017 pthread_rwlock_*; where POSIX leaves it open, glibc).

   Readers are let in whenever no writer holds the lock, although writers may wait (glibc's
   default; POSIX leaves it open). Deadlines: as in mutex.c, but glibc 2.25 and later look at them
   before they look at the lock. Who reads is recorded, and who does so
   a second time. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr) {
  if (__abp_reads_text && attr != 0)
    (void)attr->kind;
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return __abp_nondet_bool() ? EAGAIN : ENOMEM;
  __abp_atomic_begin();
  lock->writer = 0;
  lock->readers = 0;
  lock->again = 0;
  __abp_atomic_end();
  return 0;
}

/* Destroying a lock that is held is undefined. */
int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  __abp_atomic_begin();
  if (lock->writer == __ABP_DESTROYED)
    __abp_misuse("a destroyed rwlock is destroyed again");
  if (lock->writer != 0 || lock->readers != 0)
    __abp_misuse("a rwlock is destroyed while it is held");
  lock->writer = __ABP_DESTROYED;
  __abp_atomic_end();
  return 0;
}

/* One more read lock of this thread, inside the caller's atomic block. */
static void __abp_rwlock_enter(pthread_rwlock_t *lock) {
  __abp_set_t self = (__abp_set_t)1 << __abp_self();
  if ((lock->readers & self) == 0) {
    lock->readers = lock->readers | self;
  } else {
    if ((lock->again & self) != 0)
      __abp_cut("more than 2 read locks of a thread");
    lock->again = lock->again | self;
  }
}

/* Whoever holds the lock for writing (and asks to read) may be told so or wait for ever (POSIX). */
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  int result = 0;
  int stuck = 0;
  __abp_atomic_begin();
  if (lock->writer == __ABP_DESTROYED)
    __abp_misuse("a destroyed rwlock is locked");
  if (lock->writer == __abp_self()) {
    if (__abp_misuse_counts && __abp_nondet_bool())
      __abp_misuse("a rwlock is locked that the thread holds for writing");
    stuck = __abp_nondet_bool();
    result = EDEADLK;
  } else {
    __abp_await(lock->writer == 0);
    __abp_rwlock_enter(lock);
  }
  __abp_atomic_end();
  if (stuck)
    __abp_await(0);
  return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int result = 0;
  __abp_atomic_begin();
  if (lock->writer == __ABP_DESTROYED)
    __abp_misuse("a destroyed rwlock is locked");
  if (lock->writer != 0)
    result = EBUSY;
  else
    __abp_rwlock_enter(lock);
  __abp_atomic_end();
  return result;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *deadline) {
  int result = 0;
  int valid = __abp_is_time(deadline);
  if (!valid && __abp_nondet_bool())
    return EINVAL;
  __abp_atomic_begin();
  if (lock->writer == __ABP_DESTROYED)
    __abp_misuse("a destroyed rwlock is locked");
  if (lock->writer == __abp_self())
    result = EDEADLK;
  else if (lock->writer != 0)
    result = valid ? ETIMEDOUT : EINVAL;
  else
    __abp_rwlock_enter(lock);
  __abp_atomic_end();
  return result;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *deadline) {
  if (!__abp_has_deadlines(clock))
    return EINVAL;
  return pthread_rwlock_timedrdlock(lock, deadline);
}

/* Whoever holds the lock in any way may be told so or wait for ever (POSIX). */
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  int result = 0;
  int stuck = 0;
  __abp_atomic_begin();
  if (lock->writer == __ABP_DESTROYED)
    __abp_misuse("a destroyed rwlock is locked");
  if (lock->writer == __abp_self() || (lock->readers & (__abp_set_t)1 << __abp_self()) != 0) {
    if (__abp_misuse_counts && __abp_nondet_bool())
      __abp_misuse("a rwlock is locked for writing that the thread holds");
    stuck = __abp_nondet_bool();
    result = EDEADLK;
  } else {
    __abp_await(lock->writer == 0);
    __abp_await(lock->readers == 0);
    lock->writer = __abp_self();
  }
  __abp_atomic_end();
  if (stuck)
    __abp_await(0);
  return result;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  int result = 0;
  __abp_atomic_begin();
  if (lock->writer == __ABP_DESTROYED)
    __abp_misuse("a destroyed rwlock is locked");
  if (lock->writer != 0 || lock->readers != 0)
    result = EBUSY;
  else
    lock->writer = __abp_self();
  __abp_atomic_end();
  return result;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *deadline) {
  int result = 0;
  int valid = __abp_is_time(deadline);
  if (!valid && __abp_nondet_bool())
    return EINVAL;
  __abp_atomic_begin();
  if (lock->writer == __ABP_DESTROYED)
    __abp_misuse("a destroyed rwlock is locked");
  if (lock->writer == __abp_self())
    result = EDEADLK;
  else if (lock->writer != 0 || lock->readers != 0)
    result = valid ? ETIMEDOUT : EINVAL;
  else
    lock->writer = __abp_self();
  __abp_atomic_end();
  return result;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *deadline) {
  if (!__abp_has_deadlines(clock))
    return EINVAL;
  return pthread_rwlock_timedwrlock(lock, deadline);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  __abp_set_t self = (__abp_set_t)1 << __abp_self();
  __abp_atomic_begin();
  if (lock->writer == __abp_self()) {
    lock->writer = 0;
  } else {
    if ((lock->readers & self) == 0)
      __abp_misuse("a rwlock is unlocked that the thread does not hold");
    if ((lock->again & self) != 0)
      lock->again = lock->again & ~self;
    else
      lock->readers = lock->readers & ~self;
  }
  __abp_atomic_end();
  return 0;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return ENOMEM;
  __abp_atomic_begin();
  attr->pshared = PTHREAD_PROCESS_PRIVATE;
  attr->kind = PTHREAD_RWLOCK_DEFAULT_NP;
  __abp_atomic_end();
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) {
  if (__abp_reads_text)
    (void)attr->kind;
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *pshared) {
  *pshared = attr->pshared;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int pshared) {
  if (pshared != PTHREAD_PROCESS_PRIVATE && pshared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  attr->pshared = pshared;
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *kind) {
  *kind = attr->kind;
  return 0;
}

/* PREFER_WRITER_NP is the default in glibc's practice; the non-recursive one lets writers wait
   before new readers, which could hide a deadlock here. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) {
  if (kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    __abp_cut("rwlocks that prefer writers are not modelled");
  if (kind != PTHREAD_RWLOCK_PREFER_READER_NP && kind != PTHREAD_RWLOCK_PREFER_WRITER_NP)
    return EINVAL;
  attr->kind = kind;
  return 0;
}
