/* What the process uses, and may use (POSIX sys/resource.h): any amounts, each time anew, but times
   that only grow. Limits are set without effect but that calls may fail, as they may anyway. */
#include <abpress.h>
#include <errno.h>
#include <limits.h>
#include <sys/resource.h>
#include <unistd.h>

static struct timeval __abp_used[2];
static _Thread_local struct timeval __abp_used_by_thread[2];

/* Times not before the last ones, which they become. */
static void __abp_grow(struct timeval last[2], struct timeval now[2]) {
  int i;
  for (i = 0; i < 2; i++) {
    now[i].tv_sec = __abp_nondet_between(0, __ABP_LAST_SECOND);
    now[i].tv_usec = __abp_nondet_between(0, 999999);
    __abp_assume(now[i].tv_sec > last[i].tv_sec ||
                 (now[i].tv_sec == last[i].tv_sec && now[i].tv_usec >= last[i].tv_usec));
    last[i] = now[i];
  }
}

int getrusage(int who, struct rusage *usage) {
  struct rusage used = {0};
  struct timeval now[2];
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) {
    errno = EINVAL;
    return -1;
  }
  if (who != RUSAGE_CHILDREN) { /* there are none, and nothing is known of them */
    if (who == RUSAGE_THREAD) {
      __abp_grow(__abp_used_by_thread, now);
    } else {
      __abp_atomic_begin();
      __abp_grow(__abp_used, now);
      __abp_atomic_end();
    }
    used.ru_utime = now[0];
    used.ru_stime = now[1];
    used.ru_maxrss = __abp_nondet_between(0, LONG_MAX);
    used.ru_minflt = __abp_nondet_between(0, LONG_MAX);
    used.ru_majflt = __abp_nondet_between(0, LONG_MAX);
    used.ru_inblock = __abp_nondet_between(0, LONG_MAX);
    used.ru_oublock = __abp_nondet_between(0, LONG_MAX);
    used.ru_nvcsw = __abp_nondet_between(0, LONG_MAX);
    used.ru_nivcsw = __abp_nondet_between(0, LONG_MAX);
  }
  *usage = used;
  return 0;
}

static int __abp_no_resource(int resource) {
  if (resource >= 0 && resource < RLIM_NLIMITS)
    return 0;
  errno = EINVAL;
  return 1;
}

int getrlimit(int resource, struct rlimit *limit) {
  struct rlimit any;
  if (__abp_no_resource(resource))
    return -1;
  __abp_assume(any.rlim_cur <= any.rlim_max);
  *limit = any;
  return 0;
}

int setrlimit(int resource, const struct rlimit *limit) {
  struct rlimit given = *limit;
  if (__abp_no_resource(resource))
    return -1;
  if (given.rlim_cur > given.rlim_max || __abp_nondet_bool()) {
    errno = given.rlim_cur > given.rlim_max ? EINVAL : EPERM;
    return -1;
  }
  return 0;
}

/* -1 is a priority, and an error. */
int getpriority(int which, unsigned int who) {
  if (__abp_nondet_bool()) {
    errno = __abp_nondet_bool() ? ESRCH : EINVAL;
    return -1;
  }
  return (int)__abp_nondet_between(-20, 19);
}

int setpriority(int which, unsigned int who, int priority) {
  return __abp_fails() ? -1 : 0;
}

int nice(int more) {
  if (__abp_nondet_bool()) {
    errno = EPERM;
    return -1;
  }
  return (int)__abp_nondet_between(-20, 19);
}
