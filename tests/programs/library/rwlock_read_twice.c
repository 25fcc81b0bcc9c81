// expect: true
// One thread reads twice, and another one once.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(x != 1);
  pthread_rwlock_unlock(&lock);
  return 0;
}

void *writer(void *unused) {
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    x = 1;
    x = 2;
    pthread_rwlock_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, reader, 0);
  pthread_create(&u, 0, writer, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  assert(x != 1);
  pthread_rwlock_unlock(&lock);
  assert(x != 1);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
