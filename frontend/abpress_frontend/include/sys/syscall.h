#ifndef ABPRESS_SYS_SYSCALL_H
#define ABPRESS_SYS_SYSCALL_H
#include <unistd.h>

/* Those of Linux on x86-64, and on i386. */
#ifdef __x86_64__
#define SYS_getpid 39
#define SYS_gettid 186
#define SYS_futex 202
#define SYS_getcpu 309
#define SYS_getrandom 318
#else
#define SYS_getpid 20
#define SYS_gettid 224
#define SYS_futex 240
#define SYS_getcpu 318
#define SYS_getrandom 355
#endif
#define __NR_getpid SYS_getpid
#define __NR_gettid SYS_gettid
#define __NR_futex SYS_futex

#endif
