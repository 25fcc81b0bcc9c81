/* Thread attributes (POSIX.1-2017 pthread_attr_*): kept to be read back; none changes what a thread
   does. (Joining a detached thread is undefined; see thread.c.) */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

int pthread_attr_init(pthread_attr_t *attr) {
  if (__abp_creation_may_fail && __abp_nondet_bool())
    return ENOMEM;
  __abp_atomic_begin();
  attr->detachstate = PTHREAD_CREATE_JOINABLE;
  attr->inheritsched = PTHREAD_INHERIT_SCHED;
  attr->policy = SCHED_OTHER;
  attr->priority = 0;
  attr->scope = PTHREAD_SCOPE_SYSTEM;
  attr->stackaddr = 0;
  attr->stacksize = 8388608;
  attr->guardsize = 4096;
  __abp_atomic_end();
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
  if (__abp_reads_text)
    (void)attr->detachstate;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
  *state = attr->detachstate;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED)
    return EINVAL;
  attr->detachstate = state;
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
  *size = attr->guardsize;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
  attr->guardsize = size;
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit) {
  *inherit = attr->inheritsched;
  return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit) {
  if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED)
    return EINVAL;
  attr->inheritsched = inherit;
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param) {
  param->sched_priority = attr->priority;
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param) {
  attr->priority = param->sched_priority;
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy) {
  *policy = attr->policy;
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) {
  if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
    return EINVAL;
  attr->policy = policy;
  return 0;
}

int pthread_attr_getscope(const pthread_attr_t *attr, int *scope) {
  *scope = attr->scope;
  return 0;
}

/* Linux knows the system scope only. */
int pthread_attr_setscope(pthread_attr_t *attr, int scope) {
  if (scope == PTHREAD_SCOPE_PROCESS)
    return ENOTSUP;
  if (scope != PTHREAD_SCOPE_SYSTEM)
    return EINVAL;
  attr->scope = scope;
  return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **address, size_t *size) {
  *address = attr->stackaddr;
  *size = attr->stacksize;
  return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *address, size_t size) {
  if (size < PTHREAD_STACK_MIN)
    return EINVAL;
  attr->stackaddr = address;
  attr->stacksize = size;
  return 0;
}

int pthread_attr_getstackaddr(const pthread_attr_t *attr, void **address) {
  *address = attr->stackaddr;
  return 0;
}

int pthread_attr_setstackaddr(pthread_attr_t *attr, void *address) {
  attr->stackaddr = address;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
  *size = attr->stacksize;
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
  if (size < PTHREAD_STACK_MIN)
    return EINVAL;
  attr->stacksize = size;
  return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set) {
  return 0;
}

/* A hint without effect, to be read back. */
static int __abp_concurrency;

int pthread_getconcurrency(void) { return __abp_concurrency; }

int pthread_setconcurrency(int level) {
  if (level < 0)
    return EINVAL;
  __abp_concurrency = level;
  return 0;
}
