// expect: unknown "a spin lock is locked that the thread holds"
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  pthread_spin_lock(&lock);
  assert(0);
  return 0;
}
