// expect: true args: --property no-data-race --property unreach-call --property no-deadlock
// A stream is locked as by a recursive mutex.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *log_twice(void *name) {
  flockfile(stdout);
  printf("%s: first\n", (char *)name);
  flockfile(stdout);
  lines++;
  funlockfile(stdout);
  lines++;
  funlockfile(stdout);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, log_twice, "a");
  pthread_create(&b, 0, log_twice, "b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(lines == 4);
  return 0;
}
