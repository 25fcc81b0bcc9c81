/* One-time initialisation (POSIX.1-2017 pthread_once): other callers wait until the routine has
   finished. A routine that calls it on its own control waits for ever (POSIX: undefined). Where the
   thread is cancelled in the routine, or ends there (glibc), it is as if it had not called it. */
#include <abpress.h>
#include <pthread.h>

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
  int first = 0;
  __abp_atomic_begin();
  if (__abp_misuse_counts) {
    if (*once == 2 + (int)__abp_self() && __abp_nondet_bool())
      __abp_misuse("a routine of pthread_once calls it on the same control");
    __abp_await(*once <= 2);
  } else {
    __abp_await(*once != 1);
  }
  if (*once == 0) {
    first = 1;
    *once = __abp_misuse_counts ? 2 + (int)__abp_self() : 1;
  }
  __abp_atomic_end();
  if (first) {
    if (__abp_once_may_be_left)
      __abp_cleanup_push_once(once);
    routine();
    if (__abp_once_may_be_left)
      __abp_cleanup_pop_once();
    __abp_atomic_begin();
    *once = 2;
    __abp_atomic_end();
  }
  return 0;
}
