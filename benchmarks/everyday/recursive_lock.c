/* A recursive mutex: a locked function calls another one that locks. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static pthread_mutex_t lock;
static int size;

static int get_size(void) {
  pthread_mutex_lock(&lock);
  int result = size;
  pthread_mutex_unlock(&lock);
  return result;
}

static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  if (get_size() < 10) size++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_t a, b;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(get_size() == 2);
  pthread_mutex_destroy(&lock);
  return 0;
}
