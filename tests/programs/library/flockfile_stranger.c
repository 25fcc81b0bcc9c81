// expect: false(no-misuse) args: --property no-misuse
// Who has not locked a stream does not unlock it.
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
  funlockfile(stderr);
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
