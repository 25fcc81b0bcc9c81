// expect: unknown "a spin lock is unlocked that the thread does not hold"
#include <pthread.h>

pthread_spinlock_t lock;

void *thief(void *unused) {
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  pthread_create(&t, 0, thief, 0);
  pthread_join(t, 0);
  return 0;
}
