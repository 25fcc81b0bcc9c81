/* Threads (POSIX.1-2017 pthread_create and its family, sched_*).

   Using an id whose lifetime has ended is undefined: that of a thread that was joined, or that was
   detached and has ended. Then the id may be that of another thread. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>

/* The threads that can be joined or detached: all, but those that were, or began detached. Kept in
   programs that detach threads: creations and joins of all threads conflict in it. */
static __abp_set_t __abp_joinable = (__abp_set_t)1 << 1;
/* The threads that were joined. Kept in the other programs, if ids are compared, or the text does
   not show that each thread is joined once. */
static __abp_set_t __abp_joined;
/* The threads that have ended. Kept in programs that detach threads and compare ids. */
static __abp_set_t __abp_ended;

/* The id is stored before the new thread runs, or afterwards. */
int __abp_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                 void *argument, int late) {
  __abp_id_t created;
  if (__abp_reads_text && attr != 0)
    (void)attr->detachstate;
  if (__abp_creation_may_fail && __abp_nondet_bool()) {
    pthread_t nobody;
    *thread = nobody;
    return EAGAIN;
  }
  __abp_atomic_begin();
  created = __abp_spawn(start, argument);
  if (!late)
    *thread = created;
  if (__abp_blocks_signals)
    __abp_inherit_signals(created);
  if (__abp_detaches && (attr == 0 || attr->detachstate == PTHREAD_CREATE_JOINABLE))
    __abp_joinable = __abp_joinable | (__abp_set_t)1 << created;
  __abp_atomic_end();
  if (late)
    *thread = created;
  return 0;
}

/* POSIX lets the id be stored when the new thread runs already, ISO C does not (C11 7.26.5.1). Where
   nobody else reads it, it is stored before: that cannot be told apart. It also is where races count,
   so that a thread does not race with its creation for its own id. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                   void *argument) {
  return __abp_create(thread, attr, start, argument, __abp_ids_stored_late);
}

/* From main too: the other threads go on. */
void pthread_exit(void *result) { __abp_finish(result); }

/* Whom each thread waits for. Kept in programs whose text does not exclude circles. */
static __abp_id_t __abp_joins[256];

#define LONGEST_CIRCLE 8

/* Whether waiting for a thread would close a circle; else it is noted that this thread waits. */
static int __abp_closes_circle(pthread_t thread) {
  __abp_id_t other = thread;
  int k;
  int closes;
  __abp_atomic_begin();
  for (k = 1; k < LONGEST_CIRCLE && other != 0 && other < 256 && other != __abp_self(); k++)
    other = __abp_joins[other];
  closes = other == __abp_self();
  if (!closes)
    __abp_joins[__abp_self()] = thread;
  __abp_atomic_end();
  return closes;
}

/* Waits for the end of the thread and notes that it is joined; inside the caller's atomic block. */
static void *__abp_joined_value(pthread_t thread) {
  void *value = __abp_join(thread);
  if (__abp_may_join_in_a_circle)
    __abp_joins[__abp_self()] = 0;
  if (__abp_detaches) {
    if ((__abp_joinable & (__abp_set_t)1 << thread) == 0)
      __abp_misuse("a thread is joined that was joined or detached");
    __abp_joinable = __abp_joinable & ~((__abp_set_t)1 << thread);
  } else {
    if ((__abp_joined & (__abp_set_t)1 << thread) != 0)
      __abp_misuse("a thread is joined that was joined");
    __abp_joined = __abp_joined | (__abp_set_t)1 << thread;
  }
  return value;
}

/* Threads that join one another in a circle are deadlocked, or the last one is told so. */
int pthread_join(pthread_t thread, void **result) {
  void *value;
  if (thread == __abp_self()) {
    if (__abp_misuse_counts && __abp_nondet_bool())
      __abp_misuse("a thread joins itself");
    return EDEADLK;
  }
  if (__abp_may_join_in_a_circle && __abp_closes_circle(thread) && __abp_nondet_bool())
    return EDEADLK;
  if (__abp_cancels) {
    int cancelled = 0;
    __abp_atomic_begin();
    if (__abp_nondet_bool()) {
      __abp_await(__abp_is_cancelled());
      if (__abp_may_join_in_a_circle)
        __abp_joins[__abp_self()] = 0;
      cancelled = 1;
      value = 0;
    } else {
      value = __abp_joined_value(thread);
    }
    __abp_atomic_end();
    if (cancelled)
      __abp_act_on_cancellation();
  } else if (__abp_detaches || __abp_may_join_twice || __abp_may_join_in_a_circle ||
             __abp_ids_compared) {
    __abp_atomic_begin();
    value = __abp_joined_value(thread);
    __abp_atomic_end();
  } else {
    value = __abp_join(thread);
  }
  if (result != 0)
    *result = value;
  return 0;
}

/* Whether the lifetime of an id has ended; inside the caller's atomic block. */
int __abp_is_over(__abp_id_t thread) {
  __abp_set_t over = __abp_detaches ? __abp_ended & ~__abp_joinable : __abp_joined;
  return thread < 256 && (over >> thread & 1) != 0;
}

/* A request for a thread that has ended, and was not joined, has no effect. */
int pthread_cancel(pthread_t thread) {
  __abp_atomic_begin();
  if (thread == 0 || thread > 255 || __abp_is_over(thread))
    __abp_misuse("what is cancelled is no thread, or was joined, or detached and has ended");
  __abp_request_cancellation(thread);
  __abp_atomic_end();
  return 0;
}

int pthread_detach(pthread_t thread) {
  __abp_atomic_begin();
  if (thread > 255 || (__abp_joinable & (__abp_set_t)1 << thread) == 0)
    __abp_misuse("what is detached is no thread, or was joined or detached");
  __abp_joinable = __abp_joinable & ~((__abp_set_t)1 << thread);
  __abp_atomic_end();
  return 0;
}

void __abp_thread_exit_ended(void) {
  __abp_atomic_begin();
  __abp_ended = __abp_ended | (__abp_set_t)1 << __abp_self();
  __abp_atomic_end();
}

pthread_t pthread_self(void) { return __abp_self(); }

/* Different ids are of different threads, as long as both lifetimes last. */
int pthread_equal(pthread_t a, pthread_t b) {
  if (a == b)
    return 1;
  __abp_atomic_begin();
  if (__abp_is_over(a) || __abp_is_over(b))
    __abp_misuse("an id is compared of a thread that was joined, or detached and has ended");
  __abp_atomic_end();
  return 0;
}
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
int pthread_setname_np(pthread_t thread, const char *name) {
  __abp_read_text(name);
  return 0;
}

int prctl(int option, ...) {
  if (option != PR_SET_NAME)
    __abp_cut("prctl does something else than name the thread");
  return 0;
}

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

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) { return 0; }

int sched_setscheduler(pid_t process, int policy, const struct sched_param *param) { return 0; }

int sched_setparam(pid_t process, const struct sched_param *param) { return 0; }

int sched_getscheduler(pid_t process) {
  int policy;
  return policy;
}

int sched_getparam(pid_t process, struct sched_param *param) {
  int some_priority;
  param->sched_priority = some_priority;
  return 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  cpu_set_t some;
  if (size < sizeof some)
    return EINVAL;
  *set = some;
  return 0;
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  int error = pthread_getaffinity_np(0, size, set);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
  __abp_cut("the clock of another thread");
  return 0;
}

int pthread_getname_np(pthread_t thread, char *name, size_t size) {
  size_t i;
  char c = 1;
  if (size < 16)
    return ERANGE;
  for (i = 0; i < 15 && c != 0; i++) {
    c = (char)__abp_nondet_between(-128, 127);
    name[i] = c;
  }
  name[i] = 0;
  return 0;
}

/* Nobody can tell whether another thread has ended, but by joining it: that it has not is possible
   at any time, as it is that a deadline has passed. */
static int __abp_join_or(pthread_t thread, void **result, int otherwise) {
  void *value = 0;
  int joined = 0;
  if (thread == __abp_self())
    return EDEADLK;
  __abp_atomic_begin();
  if (__abp_nondet_bool()) {
    value = __abp_joined_value(thread);
    joined = 1;
  }
  __abp_atomic_end();
  if (!joined)
    return otherwise;
  if (result != 0)
    *result = value;
  return 0;
}

int pthread_tryjoin_np(pthread_t thread, void **result) {
  return __abp_join_or(thread, result, EBUSY);
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline) {
  return __abp_join_or(thread, result, __abp_is_time(deadline) ? ETIMEDOUT : EINVAL);
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                         const struct timespec *deadline) {
  if (!__abp_has_deadlines(clock))
    return EINVAL;
  return pthread_timedjoin_np(thread, result, deadline);
}
