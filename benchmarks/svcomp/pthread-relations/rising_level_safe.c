/* The level only rises, by any amount, and is read twice. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern int __VERIFIER_nondet_int(void);

int level;

void *rise(void *unused) {
  while (1) {
    int by = __VERIFIER_nondet_int();
    if (by >= 0 && by <= 1000 && level <= 1000000)
      level += by;
  }
}

void *watch(void *unused) {
  while (1) {
    int before = level;
    int after = level;
    __VERIFIER_assert(before <= after);
  }
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, rise, 0);
  pthread_create(&second, 0, watch, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
