// expect: true args: --creation-may-fail
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t mutex;
sem_t semaphore;
int x;

void *run(void *arg) {
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  if (sem_init(&semaphore, 0, 0) != 0) {
    assert(errno == ENOSPC);
    return 1;
  }
  int error = pthread_mutex_init(&mutex, 0);
  if (error != 0) {
    assert(error == EAGAIN || error == ENOMEM);
    return 1;
  }
  error = pthread_create(&thread, 0, run, 0);
  assert(error == 0 || error == EAGAIN);
  if (error == 0)
    pthread_join(thread, 0);
  assert(x == (error == 0));
  return 0;
}
