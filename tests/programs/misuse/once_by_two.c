// expect: true args: --property no-misuse
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int count;

static void routine(void) { count++; }

static void *worker(void *arg) {
  pthread_once(&once, routine);
  if (count != 1)
    pthread_join(pthread_self(), 0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  return 0;
}
