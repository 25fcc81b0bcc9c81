// expect: false(unreach-call)
// Who does not make it consistent leaves a mutex that nobody locks again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int n;

static void *dies(void *p) {
  pthread_mutex_lock(&m);
  n++;
  pthread_exit(0);
}

static void *works(void *p) {
  if (pthread_mutex_lock(&m) == ENOTRECOVERABLE)
    return 0;
  n++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_t a, b, c;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attr);
  pthread_create(&a, 0, dies, 0);
  pthread_create(&b, 0, works, 0);
  pthread_create(&c, 0, works, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(n == 3);
  return 0;
}
