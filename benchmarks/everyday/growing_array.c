/* An array that grows with realloc, under a lock. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static struct { int *items; size_t length, capacity; } all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int append(int item) {
  int done = 0;
  pthread_mutex_lock(&lock);
  if (all.length == all.capacity) {
    size_t capacity = all.capacity ? 2 * all.capacity : 1;
    int *items = realloc(all.items, capacity * sizeof *items);
    if (items == NULL) goto out;
    all.items = items;
    all.capacity = capacity;
  }
  all.items[all.length++] = item;
  done = 1;
out:
  pthread_mutex_unlock(&lock);
  return done;
}

static void *work(void *unused) {
  append(1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  append(2);
  for (size_t i = 0; i + 1 < all.length; i++) assert(all.items[i] == 1);
  free(all.items);
  return 0;
}
