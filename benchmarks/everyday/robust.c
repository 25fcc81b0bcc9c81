/* A thread ends while it holds a robust mutex, and the next one repairs it. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>

static pthread_mutex_t lock;
static int value;

static void *dies(void *unused) {
  pthread_mutex_lock(&lock);
  value = -1;
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_t thread;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  pthread_create(&thread, NULL, dies, NULL);
  pthread_join(thread, NULL);
  int result = pthread_mutex_lock(&lock);
  if (result == EOWNERDEAD) {
    value = 0;
    pthread_mutex_consistent(&lock);
  }
  assert(value == 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
