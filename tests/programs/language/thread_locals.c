// expect: true
// Thread-local variables: one per thread, initialised for each, addresses differ, by pointer.
#include <assert.h>
#include <pthread.h>

static __thread int own = 5;
_Thread_local struct {
  int a, b[2];
} record = {1, {2, 3}};
static int *published;
static int shared;

static int count(void) {
  static __thread int calls;
  return ++calls;
}

static void *worker(void *argument) {
  assert(own == 5 && record.b[1] == 3 && count() == 1);
  own += *(int *)argument;
  record.b[1] = 9;
  assert(&own != published);
  *published = 77;
  assert(own == 6);
  shared++;
  return 0;
}

int main(void) {
  own = 40;
  count();
  published = &own;
  int one = 1;
  pthread_t t;
  pthread_create(&t, 0, worker, &one);
  pthread_join(t, 0);
  assert(own == 77 && record.b[1] == 3 && count() == 2);
  pthread_create(&t, 0, worker, &one);
  pthread_join(t, 0);
  assert(shared == 2);
  return 0;
}
