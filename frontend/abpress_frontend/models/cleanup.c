/* Cleanup handlers (POSIX.1-2017 pthread_cleanup_*), as a stack per thread. Leaving a push/pop pair
   by return is undefined; here the handlers run when the thread ends. */
#include <abpress.h>
#include <pthread.h>

#define DEPTH 8

static _Thread_local unsigned int __abp_cleanup_depth;
static _Thread_local void (*__abp_cleanup_routine[DEPTH])(void *);
static _Thread_local void *__abp_cleanup_argument[DEPTH];
/* Whose routine the thread is in, where that is what was pushed. */
static _Thread_local pthread_once_t *__abp_cleanup_once[DEPTH];

void pthread_cleanup_push(void (*routine)(void *), void *argument) {
  if (__abp_cleanup_depth == DEPTH)
    __abp_cut("more than 8 cleanup handlers");
  __abp_cleanup_routine[__abp_cleanup_depth] = routine;
  __abp_cleanup_argument[__abp_cleanup_depth] = argument;
  __abp_cleanup_depth = __abp_cleanup_depth + 1;
}

/* Where the thread ends before this is popped, it is as if it had not called pthread_once. */
void __abp_cleanup_push_once(pthread_once_t *once) {
  pthread_cleanup_push(0, 0);
  __abp_cleanup_once[__abp_cleanup_depth - 1] = once;
}

/* Forgets it again, without a look at what a handler would be. */
void __abp_cleanup_pop_once(void) {
  __abp_cleanup_depth = __abp_cleanup_depth - 1;
  __abp_cleanup_once[__abp_cleanup_depth] = 0;
}

void pthread_cleanup_pop(int execute) {
  void (*routine)(void *);
  void *argument;
  if (__abp_cleanup_depth == 0)
    __abp_misuse("a cleanup handler is popped that was not pushed");
  __abp_cleanup_depth = __abp_cleanup_depth - 1;
  routine = __abp_cleanup_routine[__abp_cleanup_depth];
  argument = __abp_cleanup_argument[__abp_cleanup_depth];
  __abp_cleanup_routine[__abp_cleanup_depth] = 0;
  __abp_cleanup_argument[__abp_cleanup_depth] = 0;
  if (__abp_once_may_be_left && __abp_cleanup_once[__abp_cleanup_depth] != 0) {
    pthread_once_t *once = __abp_cleanup_once[__abp_cleanup_depth];
    __abp_cleanup_once[__abp_cleanup_depth] = 0;
    if (execute) {
      __abp_atomic_begin();
      *once = 0;
      __abp_atomic_end();
    }
  } else if (execute) {
    routine(argument);
  }
}

/* What glibc makes of a pair in C, whose handler is behind a jump (sigsetjmp); where a thread does not end
   between them, they do nothing. */
static _Thread_local unsigned int __abp_cleanup_jumps;

void __pthread_register_cancel(void *buffer) { __abp_cleanup_jumps++; }

void __pthread_unregister_cancel(void *buffer) { __abp_cleanup_jumps--; }

void __abp_thread_exit_cleanup(void) {
  if (__abp_cleanup_jumps != 0)
    __abp_cut("a cleanup handler is run by a jump");
  while (__abp_cleanup_depth != 0)
    pthread_cleanup_pop(1);
}
