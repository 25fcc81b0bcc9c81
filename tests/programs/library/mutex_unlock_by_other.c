// expect: unknown "a mutex is unlocked that the thread does not hold"
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;
int inside;

void *thief(void *unused) {
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  assert(!inside);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thief, 0);
  pthread_mutex_lock(&mutex);
  inside = 1;
  inside = 0;
  pthread_mutex_unlock(&mutex);
  return 0;
}
