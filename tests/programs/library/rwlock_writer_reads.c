// expect: false(no-deadlock) args: --property no-deadlock
// A writer that asks to read may wait for ever.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_rdlock(&lock);
  return 0;
}
