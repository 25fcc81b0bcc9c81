// expect: true args: --engine abpress
// The first heap object has one type on one path and another on the other.
#include <pthread.h>
#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int shared;

static void *worker(void *argument) {
  shared = 7;
  return 0;
}

int main(void) {
  pthread_t thread;
  int input = __VERIFIER_nondet_int(), fine;
  pthread_create(&thread, 0, worker, 0);
  if (input > 3) {
    long long *wide = malloc(sizeof(long long));
    *wide = shared + input;
    fine = *wide > 3;
  } else {
    int *narrow = malloc(sizeof(int));
    *narrow = input - 1;
    fine = *narrow <= 3;
  }
  pthread_join(thread, 0);
  if (!fine)
    reach_error();
  return 0;
}
