// expect: unknown "a mutex is unlocked that the thread does not hold"
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_unlock(&mutex);
  return 0;
}
