#ifndef ABPRESS_SYS_SELECT_H
#define ABPRESS_SYS_SELECT_H
#include <sys/time.h>

#define FD_SETSIZE 1024
typedef struct {
  unsigned long long __abp_members[FD_SETSIZE / 64];
} fd_set;

#define FD_SET(n, set) ((void)((set)->__abp_members[(n) / 64] |= 1ull << ((n) % 64)))
#define FD_CLR(n, set) ((void)((set)->__abp_members[(n) / 64] &= ~(1ull << ((n) % 64))))
#define FD_ISSET(n, set) ((int)((set)->__abp_members[(n) / 64] >> ((n) % 64) & 1))
#define FD_ZERO(set)                                                                               \
  do {                                                                                             \
    fd_set *__abp_emptied = (set);                                                                 \
    for (int __abp_at = 0; __abp_at < FD_SETSIZE / 64; __abp_at++)                                 \
      __abp_emptied->__abp_members[__abp_at] = 0;                                                  \
  } while (0)

/* The word of a descriptor, where headers of glibc look whether it has one. */
long __fdelt_chk(long descriptor);
long __fdelt_warn(long descriptor);

int select(int limit, fd_set *reading, fd_set *writing, fd_set *others, struct timeval *timeout);

#endif
