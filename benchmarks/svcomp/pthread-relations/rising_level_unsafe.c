/* The level only rises, by any amount, and is read twice. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int level;

void *rise(void *unused) {
  while (1) {
    int by = __VERIFIER_nondet_int();
    if (by >= 0 && by <= 1000 && level <= 1000000)
      level += by - 1;
  }
}

void *watch(void *unused) {
  while (1) {
    int before = level;
    int after = level;
    assert(before <= after);
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
