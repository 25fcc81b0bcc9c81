// expect: false(no-misuse) args: --property no-misuse
// The kind is normal: the thread waits for ever, which is defined, and misuse all the same.
#include <pthread.h>

static pthread_mutex_t m;

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return 0;
}
