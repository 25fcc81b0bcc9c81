// expect: false(no-data-race) args: --property no-data-race
/* A locked instruction beside a plain write of the same variable. */
#include <pthread.h>

int counter;

static void *count(void *unused) {
  __asm__ volatile("lock; incl %0" : "+m"(counter));
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, count, 0);
  counter = 1;
  pthread_join(id, 0);
  return 0;
}
