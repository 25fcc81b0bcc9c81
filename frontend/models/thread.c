/* Threads (POSIX.1-2017 pthread_create and its family, sched_*).

   A thread can be joined twice, or joined after it was detached (POSIX: undefined): the join waits
   for its end and gives its result. Creation does not fail. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

/* The handle is written before the thread can run, as glibc does (POSIX: before this returns). */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                   void *argument) {
  __abp_atomic_begin();
  *thread = __abp_spawn(start, argument);
  __abp_atomic_end();
  return 0;
}

/* From main too: the other threads go on. */
void pthread_exit(void *result) { __abp_finish(result); }

/* Threads that join one another in a circle are deadlocked (POSIX: may fail with EDEADLK). */
int pthread_join(pthread_t thread, void **result) {
  void *value;
  if (thread == __abp_self())
    return EDEADLK;
  value = __abp_join(thread);
  if (result != 0)
    *result = value;
  return 0;
}

/* The threads that were detached. */
static __abp_set_t __abp_detached;

/* Detaching a thread twice is undefined: glibc notices while the thread is there. */
int pthread_detach(pthread_t thread) {
  __abp_set_t bit = (__abp_set_t)1 << thread;
  __abp_atomic_begin();
  if ((__abp_detached & bit) != 0)
    __abp_fault("a detached thread is detached again");
  __abp_detached = __abp_detached | bit;
  __abp_atomic_end();
  return 0;
}

pthread_t pthread_self(void) { return __abp_self(); }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

int pthread_yield(void) { return 0; }

int sched_yield(void) { return 0; }

int sched_get_priority_max(int policy) {
  if (policy == SCHED_FIFO || policy == SCHED_RR)
    return 99;
  return 0;
}

int sched_get_priority_min(int policy) {
  if (policy == SCHED_FIFO || policy == SCHED_RR)
    return 1;
  return 0;
}

/* Names, processors and priorities do not matter: every interleaving is explored. */
int pthread_setname_np(pthread_t thread, const char *name) { return 0; }

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) { return 0; }

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param) {
  return 0;
}

/* Arbitrary values: what was set is not kept. */
int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param) {
  int some_policy;
  int some_priority;
  *policy = some_policy;
  param->sched_priority = some_priority;
  return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) { return 0; }

/* Handlers run in fork only, which is refused where it is called. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) { return 0; }
