// expect: false(no-data-race) args: --property no-data-race
// Each stream has its lock.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *log_twice(void *name) {
  flockfile(*(char *)name == 'a' ? stdout : stderr);
  printf("%s: first\n", (char *)name);
  lines++;
  lines++;
  funlockfile(*(char *)name == 'a' ? stdout : stderr);
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
