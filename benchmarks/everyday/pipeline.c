/* Three stages, each with a thread, handing numbers on through boxes. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct box { pthread_mutex_t lock; pthread_cond_t changed; int full, value; };
static struct box boxes[2];

static void put(struct box *box, int value) {
  pthread_mutex_lock(&box->lock);
  while (box->full) pthread_cond_wait(&box->changed, &box->lock);
  box->full = 1;
  box->value = value;
  pthread_cond_signal(&box->changed);
  pthread_mutex_unlock(&box->lock);
}

static int take(struct box *box) {
  pthread_mutex_lock(&box->lock);
  while (!box->full) pthread_cond_wait(&box->changed, &box->lock);
  box->full = 0;
  int value = box->value;
  pthread_cond_signal(&box->changed);
  pthread_mutex_unlock(&box->lock);
  return value;
}

static void *first(void *unused) { put(&boxes[0], 20); return unused; }
static void *second(void *unused) { put(&boxes[1], take(&boxes[0]) + 1); return unused; }

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&boxes[i].lock, NULL);
    pthread_cond_init(&boxes[i].changed, NULL);
  }
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  assert(2 * take(&boxes[1]) == 42);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
