// expect: true args: --property unreach-call --engine explicit
/* The values of two inputs follow from each other; a third one is overwritten before it is read. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int serving, next, ticket;

static void *worker(void *unused) {
  ticket = next++;
  if (ticket > serving) abort();
  assert(ticket == 0);
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
