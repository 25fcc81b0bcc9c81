/* Atomic tasks: a function named __VERIFIER_atomic_... is one step of its thread.
   `post` starts a task that runs at some time later; posting does not race. */
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

typedef void *task(void *);

static void post(task *body, long argument) {
  pthread_t thread;
  pthread_create(&thread, 0, body, (void *)argument);
}
