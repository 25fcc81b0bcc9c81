// expect: true args: --engine abpress
// The first thread has a local variable of one type or another, by the function that it runs.
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int seen, given;

static void *narrow(void *argument) {
  int x = given;
  seen = x;
  return 0;
}

static void *wide(void *argument) {
  long long x = given;
  x = x + 1;
  seen = x > 7;
  return 0;
}

int main(void) {
  pthread_t thread;
  int input = __VERIFIER_nondet_int();
  given = input & 1;
  if (input > 5)
    pthread_create(&thread, 0, narrow, 0);
  else
    pthread_create(&thread, 0, wide, 0);
  pthread_join(thread, 0);
  if (seen > 1 || seen < 0)
    reach_error();
  return 0;
}
