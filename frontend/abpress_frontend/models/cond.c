/* Condition variables (POSIX.1-2017 pthread_cond_*).

   With spurious wake-ups a wait may end at any time, so who waits is not recorded and a signal has
   no effect of its own. Without them `waiting` holds who waits; bit 0 marks a destroyed variable.
   Where a wake-up must not rescue a thread that waits for a lost signal, it is chosen when a wait
   begins (__abp_spurious_wakeups_chosen): the wait ends at any time, or by a signal only. (A signal
   that reaches a thread of the first kind is among the executions of the second kind.)
   A thread leaves a wait in the step in which it takes the mutex again: between waking and that
   step it does nothing that others could see. (A wake-up by deadline before a signal that then
   reaches this thread is told apart by its result only; see timedwait.) */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
  if (__abp_reads_text && attr != 0)
    (void)attr->clock;
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return __abp_nondet_bool() ? EAGAIN : ENOMEM;
  __abp_atomic_begin();
  cond->waiting = 0;
  __abp_atomic_end();
  return 0;
}

/* Undefined while threads wait. With spurious wake-ups they are taken to have just woken. (Where
   misuse counts these are chosen, and some execution has recorded the threads that wait.) */
int pthread_cond_destroy(pthread_cond_t *cond) {
  __abp_atomic_begin();
  if ((cond->waiting & 1) != 0)
    __abp_misuse("a destroyed condition variable is destroyed again");
  if (cond->waiting != 0)
    __abp_misuse("a condition variable is destroyed while threads wait");
  cond->waiting = 1;
  __abp_atomic_end();
  return 0;
}

/* Threads that a signal has reached and that have not gone on yet. Kept in programs that destroy
   condition variables: one may be destroyed as soon as nobody waits for a signal, and its memory
   used for something else. */
static __abp_set_t __abp_woken;

/* Wakes these waiters; inside the caller's atomic block. */
static void __abp_cond_wake(pthread_cond_t *cond, __abp_set_t waiters) {
  cond->waiting = cond->waiting & ~waiters;
  if (__abp_conds_destroyed)
    __abp_woken = __abp_woken | waiters;
}

/* Waits for a signal; inside the caller's atomic block. */
static void __abp_cond_await(pthread_cond_t *cond) {
  if (__abp_conds_destroyed) {
    __abp_await((__abp_woken & (__abp_set_t)1 << __abp_self()) != 0);
    __abp_woken = __abp_woken & ~((__abp_set_t)1 << __abp_self());
  } else {
    __abp_await((cond->waiting & (__abp_set_t)1 << __abp_self()) == 0);
  }
}

/* Releases the mutex and begins to wait, in one step; returns 0 or the error of the unlock. */
static int __abp_cond_enter(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  int result = 0;
  __abp_atomic_begin();
  if ((cond->waiting & 1) != 0)
    __abp_misuse("a thread waits on a destroyed condition variable");
  if (mutex->owner == __ABP_DESTROYED)
    __abp_misuse("a thread waits with a destroyed mutex");
  if (mutex->owner != __abp_self()) {
    if (mutex->kind != PTHREAD_MUTEX_ERRORCHECK &&
        !(__abp_robust && (mutex->kind & (__ABP_ROBUST | PTHREAD_MUTEX_ERRORCHECK)) != 0))
      __abp_misuse("a thread waits with a mutex that it does not hold");
    result = EPERM;
  } else {
    /* A mutex that was locked recursively is not released (POSIX warns of it). */
    if (mutex->count != 0)
      mutex->count = mutex->count - 1;
    else if (__abp_robust)
      __abp_release(mutex);
    else
      mutex->owner = 0;
    if (__abp_misuse_counts) {
      if (cond->waiting != 0 && cond->mutex != mutex)
        __abp_misuse("a condition variable is used with two mutexes at the same time");
      cond->mutex = mutex;
    }
    if (!__abp_spurious_wakeups) {
      if (!(__abp_spurious_wakeups_chosen && __abp_nondet_bool()))
        cond->waiting = cond->waiting | (__abp_set_t)1 << __abp_self();
      else if (__abp_conds_destroyed)
        __abp_woken = __abp_woken | (__abp_set_t)1 << __abp_self();
    }
  }
  __abp_atomic_end();
  return result;
}

/* Waits until the thread is to be cancelled, and waits for no signal then; one that has reached it goes
   on to another thread that waits, NOTE(cancelled-waits). Inside the caller's atomic block. */
static void __abp_cond_await_cancellation(pthread_cond_t *cond) {
  __abp_set_t self = (__abp_set_t)1 << __abp_self();
  __abp_await(__abp_is_cancelled());
  if (!__abp_spurious_wakeups) {
    if ((cond->waiting & self) != 0)
      cond->waiting = cond->waiting & ~self;
    else
      __abp_cond_wake(cond, __abp_choose_bit(cond->waiting));
    if (__abp_conds_destroyed)
      __abp_woken = __abp_woken & ~self;
  }
}

/* The mutex is locked again, inside the caller's atomic block. Returns the error of that, or else
   what is given. */
static int __abp_cond_relock(pthread_mutex_t *mutex, int result) {
  if (mutex->owner == __ABP_DESTROYED)
    __abp_misuse("a thread waits with a destroyed mutex");
  if (mutex->owner == __abp_self()) {
    mutex->count = mutex->count + 1;
  } else {
    __abp_await(mutex->owner == 0);
    if (__abp_robust) {
      int error = __abp_take(mutex);
      return error != 0 ? error : result;
    }
    mutex->owner = __abp_self();
  }
  return result;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
  int result = __abp_cond_enter(cond, mutex);
  int cancelled = 0;
  if (result == 0) {
    __abp_atomic_begin();
    if (__abp_cancels && __abp_nondet_bool()) {
      __abp_cond_await_cancellation(cond);
      cancelled = 1;
    } else if (!__abp_spurious_wakeups) {
      __abp_cond_await(cond);
    }
    result = __abp_cond_relock(mutex, result);
    __abp_atomic_end();
    if (cancelled)
      __abp_act_on_cancellation();
  }
  return result;
}

/* ETIMEDOUT is possible whether or not a signal has come: POSIX lets a wait whose deadline passes
   consume a concurrent signal. An invalid deadline is found before the mutex is released (glibc). */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *deadline) {
  int result;
  int cancelled = 0;
  if (!__abp_is_time(deadline))
    return EINVAL;
  result = __abp_cond_enter(cond, mutex);
  if (result == 0) {
    __abp_atomic_begin();
    if (__abp_cancels && __abp_nondet_bool()) {
      __abp_cond_await_cancellation(cond);
      cancelled = 1;
    } else if (__abp_nondet_bool()) {
      if (!__abp_spurious_wakeups) {
        if (__abp_conds_destroyed && (__abp_woken & (__abp_set_t)1 << __abp_self()) != 0)
          __abp_woken = __abp_woken & ~((__abp_set_t)1 << __abp_self());
        else
          cond->waiting = cond->waiting & ~((__abp_set_t)1 << __abp_self());
      }
      result = ETIMEDOUT;
    } else if (!__abp_spurious_wakeups) {
      __abp_cond_await(cond);
    }
    result = __abp_cond_relock(mutex, result);
    __abp_atomic_end();
    if (cancelled)
      __abp_act_on_cancellation();
  }
  return result;
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline) {
  if (!__abp_has_deadlines(clock))
    return EINVAL;
  return pthread_cond_timedwait(cond, mutex, deadline);
}

/* Wakes an arbitrary waiter (not the first one); without waiters it is lost. Waking more than one,
   which POSIX permits, is among the spurious wake-ups. */
int pthread_cond_signal(pthread_cond_t *cond) {
  __abp_atomic_begin();
  if ((cond->waiting & 1) != 0)
    __abp_misuse("a destroyed condition variable is signalled");
  if (!__abp_spurious_wakeups)
    __abp_cond_wake(cond, __abp_choose_bit(cond->waiting));
  __abp_atomic_end();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
  __abp_atomic_begin();
  if ((cond->waiting & 1) != 0)
    __abp_misuse("a destroyed condition variable is signalled");
  if (!__abp_spurious_wakeups)
    __abp_cond_wake(cond, cond->waiting);
  __abp_atomic_end();
  return 0;
}

int pthread_condattr_init(pthread_condattr_t *attr) {
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return ENOMEM;
  __abp_atomic_begin();
  attr->pshared = PTHREAD_PROCESS_PRIVATE;
  attr->clock = CLOCK_REALTIME;
  __abp_atomic_end();
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) {
  if (__abp_reads_text)
    (void)attr->clock;
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock) {
  *clock = attr->clock;
  return 0;
}

/* Which clock does not matter: a deadline may pass at any time. */
int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  attr->clock = clock;
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *pshared) {
  *pshared = attr->pshared;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int pshared) {
  if (pshared != PTHREAD_PROCESS_PRIVATE && pshared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  attr->pshared = pshared;
  return 0;
}
