// expect: true
// A mutex that is said to be normal may be relocked: its thread waits for ever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;

int main(void) {
  pthread_mutexattr_t attr;
  int kind;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
  pthread_mutexattr_gettype(&attr, &kind);
  assert(kind == PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&mutex, &attr);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  assert(0);
  return 0;
}
