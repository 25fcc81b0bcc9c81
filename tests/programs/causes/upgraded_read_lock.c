// expect: false(no-deadlock) args: --property no-deadlock
// cause: locked twice
// A read lock is not given up before the write lock is asked for.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *upgrades(void *arg) {
  pthread_rwlock_rdlock(&l);  // <-
  if (x == 0) {
    pthread_rwlock_wrlock(&l);  // <-
    x = 1;
    pthread_rwlock_unlock(&l);
  }
  pthread_rwlock_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, upgrades, 0);
  pthread_create(&b, 0, upgrades, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
