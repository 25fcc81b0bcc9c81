// expect: false(no-partial-deadlock) args: --property no-partial-deadlock
// A thread joins, with a lock that the other one needs to end; main goes on.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_t worker;
static _Atomic int going;

static void *works(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *joins(void *arg) {
  pthread_mutex_lock(&a);
  pthread_join(worker, 0);
  pthread_mutex_unlock(&a);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&worker, 0, works, 0);
  pthread_create(&t, 0, joins, 0);
  for (;;)
    going = !going;
}
