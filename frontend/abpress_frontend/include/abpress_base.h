/* Types that many headers declare. */
#ifndef ABPRESS_BASE_H
#define ABPRESS_BASE_H
#include <stddef.h>
#include <sys/cdefs.h>

#ifdef __LP64__
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef long off_t;
typedef long long off64_t;
typedef long long loff_t;
typedef unsigned long ino_t;
typedef unsigned long long dev_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef int key_t;
typedef long time_t;
typedef long clock_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int clockid_t;
typedef void *timer_t;
typedef char *caddr_t;
typedef int daddr_t;

#endif
