// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *writer(void *unused) {
  assert(pthread_rwlock_wrlock(&lock) == 0);
  x = x + 1;
  y = y + 1;
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  assert(pthread_rwlock_unlock(&lock) == 0);
  return 0;
}

void *reader(void *unused) {
  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(x == y);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  struct timespec deadline = {0, 0};
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(pthread_rwlock_timedwrlock(&lock, &deadline) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_timedrdlock(&lock, &deadline) == 0);
  assert(pthread_rwlock_timedwrlock(&lock, &deadline) == ETIMEDOUT);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
