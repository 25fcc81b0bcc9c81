/* Spin locks (POSIX.1-2017 pthread_spin_*). Spinning is modelled as waiting: a thread that would
   spin for ever is deadlocked. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

#define DESTROYED (~(pthread_spinlock_t)0)

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
    __abp_misuse("a spin lock is destroyed that is held or destroyed");
  *lock = DESTROYED;
  __abp_atomic_end();
  return 0;
}

/* For a thread that holds the lock it is undefined, and may wait for ever. */
int pthread_spin_lock(pthread_spinlock_t *lock) {
  __abp_atomic_begin();
  if (*lock == DESTROYED)
    __abp_misuse("a destroyed spin lock is locked");
  if (*lock == __abp_self() && __abp_nondet_bool())
    __abp_misuse("a spin lock is locked that the thread holds");
  __abp_await(*lock == 0);
  *lock = (pthread_spinlock_t)__abp_self();
  __abp_atomic_end();
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  int result = 0;
  __abp_atomic_begin();
  if (*lock == DESTROYED)
    __abp_misuse("a destroyed spin lock is locked");
  if (*lock == 0)
    *lock = (pthread_spinlock_t)__abp_self();
  else
    result = EBUSY;
  __abp_atomic_end();
  return result;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __abp_atomic_begin();
  if (*lock == DESTROYED)
    __abp_misuse("a destroyed spin lock is unlocked");
  if (*lock != __abp_self())
    __abp_misuse("a spin lock is unlocked that the thread does not hold");
  *lock = 0;
  __abp_atomic_end();
  return 0;
}
