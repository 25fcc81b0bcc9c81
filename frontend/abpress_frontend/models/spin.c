/* Spin locks (POSIX.1-2017 pthread_spin_*). Spinning is modelled as waiting: a thread that would
   spin for ever is deadlocked. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

int pthread_spin_init(pthread_spinlock_t *lock, int pshared) {
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return __abp_nondet_bool() ? EAGAIN : ENOMEM;
  __abp_atomic_begin();
  *lock = 0;
  __abp_atomic_end();
  return 0;
}

/* Destroying a lock that is held is undefined. */
int pthread_spin_destroy(pthread_spinlock_t *lock) {
  __abp_atomic_begin();
  if (*lock != 0)
    __abp_fault("a spin lock is destroyed that is held or destroyed");
  *lock = __ABP_DESTROYED;
  __abp_atomic_end();
  return 0;
}

/* A thread that holds the lock waits for ever (POSIX: may deadlock or fail; glibc spins). */
int pthread_spin_lock(pthread_spinlock_t *lock) {
  __abp_atomic_begin();
  if (*lock == __ABP_DESTROYED)
    __abp_fault("a destroyed spin lock is locked");
  __abp_await(*lock == 0);
  *lock = __abp_self();
  __abp_atomic_end();
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  int result = 0;
  __abp_atomic_begin();
  if (*lock == __ABP_DESTROYED)
    __abp_fault("a destroyed spin lock is locked");
  if (*lock == 0)
    *lock = __abp_self();
  else
    result = EBUSY;
  __abp_atomic_end();
  return result;
}

/* Unlocking a lock that one does not hold is undefined: in glibc it becomes free. */
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __abp_atomic_begin();
  if (*lock == __ABP_DESTROYED)
    __abp_fault("a destroyed spin lock is unlocked");
  *lock = 0;
  __abp_atomic_end();
  return 0;
}
