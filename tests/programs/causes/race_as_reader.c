// expect: false(no-data-race) args: --property no-data-race
// cause: lock held for reading
// A cache is filled under the lock under which it is looked at.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached;

static void *user(void *arg) {
  pthread_rwlock_rdlock(&lock);
  if (cached == 0) {  // <-
    cached = 10;  // <-
  }
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
