/* The error number of each thread. Nothing in a model resets it. */
#include <errno.h>

static _Thread_local int __abp_errno;

int *__errno_location(void) { return &__abp_errno; }
