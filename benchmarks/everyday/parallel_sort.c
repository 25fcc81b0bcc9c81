/* Halves are sorted by threads with qsort, then merged. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static int numbers[4] = {4, 1, 3, 2}, sorted[4];

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void *half(void *argument) {
  qsort(argument, 2, sizeof(int), ascending);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, half, numbers);
  pthread_create(&b, NULL, half, numbers + 2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int i = 0, j = 2;
  for (int k = 0; k < 4; k++) sorted[k] = j == 4 || (i < 2 && numbers[i] <= numbers[j]) ? numbers[i++] : numbers[j++];
  for (int k = 1; k < 4; k++) assert(sorted[k - 1] <= sorted[k]);
  return 0;
}
