// expect: false(no-data-race) args: --property no-data-race
// The destructor reads what a thread still writes when main has returned.
#include <pthread.h>

static int n;

static void *work(void *p) {
  n = 1;
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
}

__attribute__((destructor)) static void report(void) { n++; }

int main(void) { return 0; }
