// expect: false(unreach-call) args: --property unreach-call --engine explicit
/* One path does not overwrite the input that is read: NOTE(overwritten-writes). */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int serving, next, ticket;

static void *worker(void *unused) {
  if (next == serving) next++; else ticket = next++;
  if (ticket > serving) abort();
  assert(ticket != -1);
  return unused;
}

int main(void) {
  pthread_t t;
  ticket = __VERIFIER_nondet_int();
  next = __VERIFIER_nondet_int();
  serving = __VERIFIER_nondet_int();
  if (!(next == serving && serving == 0)) abort();
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
