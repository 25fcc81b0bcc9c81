// expect: true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t s;
static pthread_rwlock_t lock;

int main(void) {
  memset(&s, 0, sizeof s);
  memset((char *)&lock, 0, sizeof lock);
  sem_init(&s, 0, 1);
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) != 0);
  pthread_rwlock_unlock(&lock);
  sem_wait(&s);
  assert(sem_trywait(&s) != 0);
  return 0;
}
