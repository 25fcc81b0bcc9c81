/* Three threads enter a critical section again and again by the filter lock. */
#include <pthread.h>
#ifndef N
#define N 3
#endif

int level[N], last[N];

void *thread(void *p) {
  int i = (int)(long)p;
  while (1) {
    for (int l = 1; l < N; l++) {
      level[i] = l;
      last[l] = i;
      for (int k = 0; k < N; k++)
        while (k != i && level[k] >= l && last[l] == i) { }
    }
    level[i] = 0;
  }
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < N; i++) pthread_create(&t, 0, thread, (void *)i);
  pthread_exit(0);
}
