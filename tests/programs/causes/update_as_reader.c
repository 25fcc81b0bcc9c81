// expect: false(unreach-call) args: --property unreach-call
// cause: lost update
// A counter is changed under a lock that is held for reading.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *user(void *arg) {
  pthread_rwlock_rdlock(&lock);
  hits++;  // <-
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(hits == 2);
  return 0;
}
