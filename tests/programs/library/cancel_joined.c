// expect: false(no-misuse) args: --property no-misuse
#include <pthread.h>

static void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  pthread_cancel(thread);
  return 0;
}
