// expect: false(no-data-race) args: --property no-data-race
// What the library's function does counts, and not what is defined for inlining.
#include <pthread.h>
typedef unsigned long size_t;

extern void *memset(void *target, int byte, size_t size);
extern __inline __attribute__((__gnu_inline__)) void *memset(void *target, int byte, size_t size) {
  return target;
}

static char text[4];

static void *work(void *unused) {
  memset(text, 0, 4);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return text[0];
}
