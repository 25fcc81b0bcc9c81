// expect: false(unreach-call)
// NOTE(lost-write): a signed overflow ends the execution, after the write.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int x, y;

void *writes(void *argument) {
  int big = argument ? 0 : INT_MAX;
  x = 1;
  big++;
  y = big;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  int seen = x;
  assert(seen == 0);
  return 0;
}
