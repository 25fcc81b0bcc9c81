// expect: unknown "a mutex is locked that is destroyed or not initialised"
#include <pthread.h>

pthread_mutex_t mutex;

int main(void) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
