// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

pthread_t child;
pthread_mutex_t stored = PTHREAD_MUTEX_INITIALIZER;

void *grandchild(void *argument) {
  assert(argument == &child);
  return (void *)5;
}

void *worker(void *unused) {
  pthread_t t;
  void *result;
  pthread_mutex_lock(&stored);
  assert(pthread_equal(child, pthread_self()));
  pthread_mutex_unlock(&stored);
  assert(pthread_create(&t, 0, grandchild, &child) == 0);
  assert(!pthread_equal(t, pthread_self()));
  assert(pthread_join(t, &result) == 0);
  assert(result == (void *)5);
  sched_yield();
  pthread_exit((void *)6);
  assert(0);
  return 0;
}

int main(void) {
  void *result;
  pthread_mutex_lock(&stored);
  assert(pthread_create(&child, 0, worker, 0) == 0);
  pthread_mutex_unlock(&stored);
  assert(pthread_join(pthread_self(), 0) == EDEADLK);
  assert(pthread_join(child, &result) == 0);
  assert(result == (void *)6);
  return 0;
}
