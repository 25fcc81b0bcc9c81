// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t lock;
int x;

void *worker(void *unused) {
  assert(pthread_spin_lock(&lock) == 0);
  x++;
  assert(pthread_spin_unlock(&lock) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(x == 2);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == EBUSY);
  assert(pthread_spin_unlock(&lock) == 0);
  assert(pthread_spin_destroy(&lock) == 0);
  return 0;
}
