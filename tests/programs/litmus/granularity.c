// expect: false(unreach-call)
// NOTE(granularity): `x++` on shared memory is a load and a store.
#include <assert.h>
#include <pthread.h>

int x;

void *adds(void *argument) {
  x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, adds, 0);
  pthread_create(&b, 0, adds, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
