/* The process and the machine (POSIX getpid, sysconf): pages of 4096 bytes and 100 ticks in a second
   (Linux on x86), of all else any values. */
#include <abpress.h>
#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 0 before somebody asks. */
static pid_t __abp_process;

pid_t getpid(void) {
  pid_t number;
  __abp_atomic_begin();
  if (__abp_process == 0)
    __abp_process = (pid_t)__abp_nondet_between(1, 4194304);
  number = __abp_process;
  __abp_atomic_end();
  return number;
}

int getpagesize(void) { return 4096; }

/* Processors come and go; 8192 is the most that Linux is made for. Of what has no limit, and of what
   is not known, the result is -1. */
long sysconf(int name) {
  if (name == _SC_PAGESIZE)
    return 4096;
  if (name == _SC_CLK_TCK)
    return 100;
  if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN)
    return __abp_nondet_between(1, 8192);
  if (__abp_nondet_bool())
    errno = EINVAL;
  return __abp_nondet_between(-1, LONG_MAX);
}

/* What sets this apart from getpid: which thread asks. */
pid_t gettid(void) { return (pid_t)((unsigned int)getpid() + (unsigned int)__abp_self() - 1); }

/* Those of which the library has functions. */
long syscall(long number, ...) {
  if (number == SYS_gettid)
    return gettid();
  if (number != SYS_getpid)
    __abp_cut("a system call that is not modelled");
  return getpid();
}
