// expect: unknown "a rwlock is unlocked that the thread does not hold"
// Another thread reads.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *thief(void *unused) {
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&t, 0, thief, 0);
  pthread_join(t, 0);
  return 0;
}
