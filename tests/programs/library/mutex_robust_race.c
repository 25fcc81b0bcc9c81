// expect: false(no-data-race) args: --property no-data-race
// ENOTRECOVERABLE is no lock.
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int n;

static void *dies(void *p) {
  if (pthread_mutex_lock(&m) == 0)
    n++;
  return 0;
}

static void *works(void *p) {
  int error = pthread_mutex_lock(&m);
  n++;
  if (error == 0 || error == EOWNERDEAD)
    pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_t thread, other;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attr);
  pthread_create(&thread, 0, dies, 0);
  pthread_join(thread, 0);
  works(0);
  pthread_create(&other, 0, works, 0);
  works(0);
  return 0;
}
