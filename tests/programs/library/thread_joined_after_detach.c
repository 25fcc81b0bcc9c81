// expect: unknown "a thread is joined that was joined or detached"
#include <pthread.h>

void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_detach(t);
  return pthread_join(t, 0);
}
