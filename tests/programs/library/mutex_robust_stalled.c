// expect: false(no-deadlock) args: --property no-deadlock
// Robust was said, and taken back: nobody learns that the owner has ended.
#include <pthread.h>

static pthread_mutex_t m;

static void *dies(void *p) {
  pthread_mutex_lock(&m);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_t thread;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_STALLED);
  pthread_mutex_init(&m, &attr);
  pthread_create(&thread, 0, dies, 0);
  pthread_join(thread, 0);
  pthread_mutex_lock(&m);
  return 0;
}
