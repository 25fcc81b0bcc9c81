// expect: false(no-misuse) "the lifetime of" args: --property no-misuse
// The block that declares the lock is left while the other thread may still read.
#include <pthread.h>

static pthread_t t;

static void *reader(void *arg) {
  pthread_rwlock_t *lock = arg;
  pthread_rwlock_rdlock(lock);
  pthread_rwlock_unlock(lock);
  return 0;
}

static void start(void) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_create(&t, 0, reader, &lock);
}

int main(void) {
  start();
  return 0;
}
