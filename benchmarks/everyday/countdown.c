/* A latch: main waits until all workers have begun. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct latch { pthread_mutex_t lock; pthread_cond_t zero; int count; };
static struct latch latch = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 2};
static int begun;

static void *work(void *argument) {
  struct latch *its = argument;
  pthread_mutex_lock(&its->lock);
  begun++;
  if (--its->count == 0) pthread_cond_broadcast(&its->zero);
  pthread_mutex_unlock(&its->lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &latch);
  pthread_mutex_lock(&latch.lock);
  while (latch.count > 0) pthread_cond_wait(&latch.zero, &latch.lock);
  assert(begun == 2);
  pthread_mutex_unlock(&latch.lock);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
