// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock;
int inside;

void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  inside = 1;
  inside = 0;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_rwlock_init(&lock, 0);
  pthread_create(&t, 0, reader, 0);
  pthread_rwlock_rdlock(&lock);
  assert(!inside);
  return 0;
}
