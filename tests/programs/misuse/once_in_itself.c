// expect: false(no-misuse) args: --property no-misuse
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void again(void) {}

static void routine(void) { pthread_once(&once, again); }

int main(void) {
  pthread_once(&once, routine);
  return 0;
}
