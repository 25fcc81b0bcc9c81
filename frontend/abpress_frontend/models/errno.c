/* The error number of each thread. Nothing in a model resets it. */
#include <abpress.h>
#include <errno.h>

static _Thread_local int __abp_errno;

int *__errno_location(void) { return &__abp_errno; }

int __abp_any_error(void) {
  errno = (int)__abp_nondet_between(1, 133);
  return -1;
}

/* What fails for want of memory (POSIX). */
void __abp_no_memory(void) { errno = ENOMEM; }

int __abp_fails(void) { return __abp_nondet_bool() && __abp_any_error(); }
