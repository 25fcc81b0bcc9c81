/* BB(N), a bounded buffer: a producer puts N items, a consumer takes N times. What does not fit is
   lost, and from an empty buffer nothing is taken.
   Determined: 2N tasks in two threads, all of which conflict; guessed: the buffer has three places,
   and the consumer adds up what it takes. */
#include "tasks.h"

#define PLACES 3

int buffer[PLACES], used, sum;

void __VERIFIER_atomic_put(int item) {
  if (used < PLACES)
    buffer[used++] = item;
}

void __VERIFIER_atomic_take(void) {
  if (used > 0) {
    sum += buffer[0];
    used--;
    for (int i = 0; i < PLACES - 1; i++)
      buffer[i] = buffer[i + 1];
    buffer[PLACES - 1] = 0;
  }
}

void *producer(void *unused) {
  for (int i = 1; i <= N; i++)
    __VERIFIER_atomic_put(i);
  return 0;
}

void *consumer(void *unused) {
  for (int i = 1; i <= N; i++)
    __VERIFIER_atomic_take();
  return 0;
}

int main(void) {
  __VERIFIER_atomic_begin();
  post(producer, 0);
  post(consumer, 0);
  __VERIFIER_atomic_end();
  pthread_exit(0);
}
