/* Main moves an index on before it starts each of N threads, which write to where it stands when
   they come to it. */
#include <pthread.h>
#ifndef N
#define N 4
#endif

int place, cell[N + 1];

void *thread(void *p) { cell[place] = 1; return 0; }

int main(void) {
  pthread_t t;
  for (int k = 0; k < N; k++) {
    place++;
    pthread_create(&t, 0, thread, 0);
  }
  pthread_exit(0);
}
