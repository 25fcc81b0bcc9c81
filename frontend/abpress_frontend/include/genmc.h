/* What programs written for GenMC take from <genmc.h>. Its hints for the search are dropped: without
   them the statement or expression that they mark means the same. Optional code is skipped, or it is
   the last that the thread does. Hazard pointers, persistency and the partial lock are not here. */
#ifndef ABPRESS_GENMC_H
#define ABPRESS_GENMC_H
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <abpress_base.h>

typedef pthread_t __VERIFIER_thread_t;

static __VERIFIER_thread_t __VERIFIER_spawn(void *(*start)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, start, argument);
  return thread;
}

static __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*start)(void *), void *argument,
                                                      __VERIFIER_thread_t twin) {
  return __VERIFIER_spawn(start, argument);
}

static void *__VERIFIER_join(__VERIFIER_thread_t thread) {
  void *result;
  pthread_join(thread, &result);
  return result;
}

static void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) { pthread_join(thread, 0); }

/* Spinning loops. */
#define __VERIFIER_loop_begin() ((void)0)
#define __VERIFIER_spin_start() ((void)0)
#define __VERIFIER_spin_end(condition) ((void)(condition))

/* Writes that are local or last; helping and optional code. The argument may end in a semicolon. */
#define __VERIFIER_local_write(write) do { write; } while (0)
#define __VERIFIER_final_write(write) do { write; } while (0)
#define __VERIFIER_helped_CAS(exchange) do { exchange; } while (0)
#define __VERIFIER_helping_CAS(exchange) do { exchange; } while (0)
#define __VERIFIER_optional(code)                                                                  \
  do {                                                                                             \
    if (__abp_nondet_bool()) {                                                                     \
      code;                                                                                        \
      __abp_assume(0);                                                                             \
    }                                                                                              \
  } while (0)

/* Read-modify-write loops. */
#define __VERIFIER_speculative_read(read) ({ __auto_type __abp_value = read; __abp_value; })
#define __VERIFIER_confirming_read(read) ({ __auto_type __abp_value = read; __abp_value; })
#define __VERIFIER_confirming_CAS(exchange) ({ __auto_type __abp_done = exchange; __abp_done; })
#define __VERIFIER_final_CAS(exchange) ({ __auto_type __abp_done = exchange; __abp_done; })

/* Boundaries of methods, for specifications. */
#define __VERIFIER_method_begin(name, argument) ((void)(argument))
#define __VERIFIER_method_end(name, result) ((void)(result))

#endif
