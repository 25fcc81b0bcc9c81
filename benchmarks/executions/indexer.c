/* N threads put four numbers each into a table of hashes, where those from the 12th thread on
   collide. After [DPOR05]. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 14
#endif

_Atomic int table[128];

void *many(void *p) {
  int i = (int)(long)p - 1;
  for (int w = 1; w <= 4; w++) {
    int h = ((w * 11 + i) * 7) % 128, expected = 0;
    while (!atomic_compare_exchange_strong(&table[h], &expected, w * 11 + i)) {
      h = (h + 1) % 128;
      expected = 0;
    }
  }
  return 0;
}

int main(void) {
  pthread_t t;
  for (long i = 1; i <= N; i++) pthread_create(&t, 0, many, (void *)i);
  pthread_exit(0);
}
