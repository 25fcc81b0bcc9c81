// expect: false(no-deadlock) args: --property no-deadlock
// NOTE(assumed-alternatives): what the assumption excludes does not rescue the other choice.
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

sem_t semaphore;

int main(void) {
  sem_init(&semaphore, 0, 0);
  __VERIFIER_atomic_begin();
  _Bool excluded = __VERIFIER_nondet_bool();
  __VERIFIER_assume(!excluded);
  sem_wait(&semaphore);
  __VERIFIER_atomic_end();
  return 0;
}
