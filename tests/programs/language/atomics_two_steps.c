// expect: false(unreach-call)
// Reading and then writing an _Atomic object are two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int a;

static void *worker(void *unused) {
  a = a + 1;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(a == 2);
  return 0;
}
