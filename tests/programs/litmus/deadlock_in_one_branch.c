// expect: false(no-deadlock) args: --property no-deadlock
// NOTE(lost-wait): the deadlock is behind a choice, and of a thread that nobody else depends on.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, 0);
  if (__VERIFIER_nondet_bool())
    pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
