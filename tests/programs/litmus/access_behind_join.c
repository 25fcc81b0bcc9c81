// expect: true
// What happens behind the join sees all that the thread did.
#include <assert.h>
#include <pthread.h>

int x;

void *writes(void *argument) {
  x = 1;
  x = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  x = 7;
  pthread_create(&thread, 0, writes, 0);
  pthread_join(thread, 0);
  assert(x == 2);
  return 0;
}
