/* What floating point says is asserted: the average of measurements, summed up by two threads. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const double measured[4] = {1.5, 2.5, 3.0, 5.0};
static double sum;
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
  int from = *(int *)argument;
  double mine = 0.0;
  for (int i = from; i < from + 2; i++) mine += measured[i];
  pthread_mutex_lock(&lock);
  sum += mine;
  count += 2;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int from[2] = {0, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, &from[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("average %.2f\n", sum / count);
  assert(sum / count == 3.0);
  return 0;
}
