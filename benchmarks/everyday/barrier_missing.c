/* Two phases with the barrier forgotten: neighbours read what was written before. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static int before[2], after[2];

static void *work(void *argument) {
  int me = *(int *)argument;
  before[me] = me + 1;
  after[me] = before[1 - me];
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int names[2] = {0, 1};
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  assert(after[0] == 2 && after[1] == 1);
  return 0;
}
