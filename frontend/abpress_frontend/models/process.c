/* The process and the machine (POSIX getpid, sysconf): pages of 4096 bytes and 100 ticks in a second
   (Linux on x86), of all else any values. */
#include <abpress.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <sys/sysinfo.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <unistd.h>

/* 0 before somebody asks. */
static pid_t __abp_process;

/* Any number; where no program can tell which, one of them. */
pid_t getpid(void) {
  pid_t number;
  if (!__abp_numbers_process)
    return 4242;
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

/* Who the process is: any numbers, of which none changes. */
static uid_t __abp_user;
static gid_t __abp_group;
static _Bool __abp_has_user;

static void __abp_choose_user(void) {
  uid_t user;
  gid_t group;
  __abp_atomic_begin();
  if (!__abp_has_user) {
    __abp_user = user;
    __abp_group = group;
    __abp_has_user = 1;
  }
  __abp_atomic_end();
}

uid_t getuid(void) {
  __abp_choose_user();
  return __abp_user;
}

uid_t geteuid(void) { return getuid(); }

gid_t getgid(void) {
  __abp_choose_user();
  return __abp_group;
}

gid_t getegid(void) { return getgid(); }

/* Groups of processes, of which nothing else depends on any: any numbers. */
pid_t setsid(void) { return __abp_fails() ? -1 : getpid(); }

pid_t getpgrp(void) { return (pid_t)__abp_nondet_between(1, 4194304); }

int setpgid(pid_t process, pid_t group) { return __abp_fails() ? -1 : 0; }

/* The log of the system, which nobody reads here. */
void openlog(const char *name, int options, int facility) { __abp_read_text_if_any(name); }

void closelog(void) {}

int setlogmask(int mask) { return (int)__abp_nondet_between(0, 255); }

/* The parent may end. */
pid_t getppid(void) { return (pid_t)__abp_nondet_between(0, 4194304); }

int sched_getcpu(void) { return (int)__abp_nondet_between(0, 8191); }

int getdtablesize(void) { return (int)__abp_nondet_between(20, INT_MAX); }

int get_nprocs(void) { return (int)__abp_nondet_between(1, 8192); }

int get_nprocs_conf(void) { return get_nprocs(); }

static int __abp_copy_any(char *text, size_t size) {
  size_t i = 0;
  char c;
  if (size == 0 || __abp_nondet_bool())
    return __abp_any_error();
  while (i < size - 1 && __abp_nondet_bool()) {
    c = (char)__abp_nondet_between(-128, 127);
    __abp_assume(c != 0);
    text[i] = c;
    i++;
  }
  text[i] = 0;
  return 0;
}

int gethostname(char *name, size_t size) { return __abp_copy_any(name, size); }

char *getcwd(char *text, size_t size) {
  if (text == 0)
    __abp_cut("getcwd without a place for its result");
  return __abp_copy_any(text, size) == 0 ? text : 0;
}

/* What getenv answers is not changed by models. */
int setenv(const char *name, const char *value, int overwrite) {
  __abp_read_text(name);
  __abp_read_text(value);
  __abp_cut("the environment is changed");
  return 0;
}

int unsetenv(const char *name) {
  __abp_read_text(name);
  __abp_cut("the environment is changed");
  return 0;
}

int putenv(char *text) {
  __abp_read_text(text);
  __abp_cut("the environment is changed");
  return 0;
}

/* Locales: there is none but that of C, as abpress_frontend.assumed says. */
char *setlocale(int category, const char *locale) {
  __abp_read_text_if_any(locale);
  return "C";
}
