// expect: true args: --property unreach-call
/* Each thread counts in a global variable of its own, which nothing remembers when it has finished. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int i, j, first, second, limit;

static void *one(void *unused) {
  for (i = 0; i < limit; i++) first += i;
  return unused;
}

static void *other(void *unused) {
  for (j = 0; j < limit; j++) second += j;
  return unused;
}

int main(void) {
  pthread_t a, b;
  i = __VERIFIER_nondet_int();
  j = __VERIFIER_nondet_int();
  limit = __VERIFIER_nondet_int() & 3;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(first == second);
  return 0;
}
