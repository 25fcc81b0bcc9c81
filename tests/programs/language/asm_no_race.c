// expect: true args: --property no-data-race
/* Locked instructions race neither with each other nor with atomic operations. */
#include <pthread.h>

int counter;

static void *count(void *unused) {
  __asm__ volatile("lock; incl %0" : "+m"(counter));
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, count, 0);
  count(0);
  __sync_fetch_and_add(&counter, 1);
  pthread_join(id, 0);
  return 0;
}
