// expect: false(unreach-call) args: --property unreach-call
// cause: check then act
// What is missed under the read lock is added under the write lock, and not looked for again.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached;

static void *user(void *arg) {
  pthread_rwlock_rdlock(&lock);
  int found = cached;  // <-
  pthread_rwlock_unlock(&lock);
  if (found == 0) {
    pthread_rwlock_wrlock(&lock);
    cached += 10;  // <-
    pthread_rwlock_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(cached == 10);
  return 0;
}
