/* A matrix product, a thread for each row. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define N 2

static int a[N][N] = {{1, 2}, {3, 4}}, b[N][N] = {{0, 1}, {1, 0}}, c[N][N];

static void *row(void *argument) {
  int i = (int)(long)argument;
  for (int j = 0; j < N; j++) {
    int sum = 0;
    for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
    c[i][j] = sum;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, row, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < N; i++) printf("%d %d\n", c[i][0], c[i][1]);
  assert(c[0][0] == 2 && c[0][1] == 1 && c[1][0] == 4 && c[1][1] == 3);
  return 0;
}
