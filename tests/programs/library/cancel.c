// expect: unsupported "pthread_cancel"
#include <pthread.h>

void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_cancel(t);
  return 0;
}
