// expect: false(unreach-call)
// NOTE(after-join): main has joined one thread, and the other one still writes.
#include <assert.h>
#include <pthread.h>

int x;

void *writes(void *argument) {
  x = 1;
  x = 0;
  return 0;
}

void *rests(void *argument) { return 0; }

int main(void) {
  pthread_t writer, other;
  pthread_create(&writer, 0, writes, 0);
  pthread_create(&other, 0, rests, 0);
  pthread_join(other, 0);
  int seen = x;
  assert(seen == 0);
  pthread_join(writer, 0);
  return 0;
}
