// expect: true
// NOTE(dead-values): the states differ in locals that nobody reads any more; without them, finite.
#include <pthread.h>

unsigned x;

void *counts(void *argument) {
  while (1) {
    unsigned old = x;
    x = (old + 1) % 4;
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, counts, 0);
  while (1) {
    unsigned seen = x;
    (void)seen;
  }
}
