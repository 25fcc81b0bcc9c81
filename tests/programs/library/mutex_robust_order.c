// expect: false(unreach-call)
// A call that fails returns without the mutex: what is read then may be read in any order. NOTE(robust-mutexes)
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int a, b;

static void *dies(void *p) {
  pthread_mutex_lock(&m);
  return 0;
}

static void *writes(void *p) {
  pthread_mutex_lock(&m);
  a = 1;
  b = 1;
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
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_create(&thread, 0, writes, 0);
  pthread_mutex_lock(&m);
  int difference = b - a;
  assert(difference <= 0);
  pthread_join(thread, 0);
  return 0;
}
