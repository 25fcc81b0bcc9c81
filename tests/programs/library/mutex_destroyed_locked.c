// expect: unknown "a mutex is destroyed while it is locked"
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex);
  return 0;
}
