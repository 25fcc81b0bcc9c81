// expect: false(no-deadlock) args: --property no-deadlock
// NOTE(assumed-alternatives): what the assumption excludes does not rescue the other choice.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  __VERIFIER_atomic_begin();
  _Bool excluded = __VERIFIER_nondet_bool();
  __VERIFIER_assume(!excluded);
  pthread_mutex_lock(&mutex);
  __VERIFIER_atomic_end();
  return 0;
}
