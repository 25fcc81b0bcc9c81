/* Cancellation (POSIX.1-2017 2.9.5), deferred: a request is acted upon at cancellation points. Where
   lower/cancellation.py has the points of the library, one of these functions is called first;
   those that wait look for requests themselves, NOTE(cancelled-waits). Asynchronous cancellation is
   a bound of the tool. */
#include <abpress.h>
#include <errno.h>
#include <pthread.h>

/* The threads that are to be cancelled. */
static __abp_set_t __abp_cancelled;
static _Thread_local int __abp_cancel_state;
static _Thread_local int __abp_cancel_type;

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (old != 0)
    *old = __abp_cancel_state;
  __abp_cancel_state = state;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  if (__abp_cancels && type == PTHREAD_CANCEL_ASYNCHRONOUS)
    __abp_cut("asynchronous cancellation");
  if (old != 0)
    *old = __abp_cancel_type;
  __abp_cancel_type = type;
  return 0;
}

/* Inside the caller's atomic block. */
void __abp_request_cancellation(__abp_id_t thread) {
  __abp_cancelled = __abp_cancelled | (__abp_set_t)1 << thread;
}

/* Whether this thread is to act upon a request; inside the caller's atomic block. */
int __abp_is_cancelled(void) {
  return __abp_cancel_state == PTHREAD_CANCEL_ENABLE &&
         (__abp_cancelled >> __abp_self() & 1) != 0;
}

void __abp_act_on_cancellation(void) { __abp_finish(PTHREAD_CANCELED); }

void __abp_cancellation_point(void) {
  int acts;
  __abp_atomic_begin();
  acts = __abp_is_cancelled();
  __abp_atomic_end();
  if (acts)
    __abp_act_on_cancellation();
}

/* A function that may be a cancellation point, or not. */
void __abp_possible_cancellation_point(void) {
  if (__abp_nondet_bool())
    __abp_cancellation_point();
}

/* The check is that of the library call. */
void pthread_testcancel(void) {}

/* A thread that ends acts upon no request: its handlers and destructors are not left. */
void __abp_thread_exit_cancel(void) { __abp_cancel_state = PTHREAD_CANCEL_DISABLE; }
