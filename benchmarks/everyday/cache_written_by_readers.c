/* A cache behind a read-write lock: readers look, a miss is filled in under the lock for readers. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

#define KEYS 2

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int values[KEYS], known[KEYS];

static int compute(int key) { return key * 10 + 1; }

static int get(int key) {
  pthread_rwlock_rdlock(&lock);
  int value = values[key], hit = known[key];
  pthread_rwlock_unlock(&lock);
  if (hit) return value;
  value = compute(key);
  pthread_rwlock_rdlock(&lock);
  values[key] = value;
  known[key] = 1;
  pthread_rwlock_unlock(&lock);
  return value;
}

static void *reader(void *unused) {
  (void)unused;
  for (int key = 0; key < KEYS; key++) assert(get(key) == key * 10 + 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  reader(NULL);
  pthread_join(thread, NULL);
  pthread_rwlock_destroy(&lock);
  return 0;
}
