// expect: false(no-misuse) args: --property no-misuse
// Nothing but destruction is permitted to a mutex that is not recoverable (glibc crashes here).
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
  pthread_mutex_init(&m, &attr);
  pthread_create(&thread, 0, dies, 0);
  pthread_join(thread, 0);
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
