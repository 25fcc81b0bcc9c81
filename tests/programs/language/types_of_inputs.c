// expect: true args: --engine abpress
// The inputs of different steps, and of different paths of one step, have different types.
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int shared = 6;

static void *worker(void *argument) {
  int narrow = __VERIFIER_nondet_int();
  if (narrow < 6)
    narrow = 6;
  shared = narrow;
  unsigned long long wide = __VERIFIER_nondet_ulonglong();
  if (wide > 5 && wide < 1000)
    shared = wide;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  if (shared < 6)
    reach_error();
  return 0;
}
