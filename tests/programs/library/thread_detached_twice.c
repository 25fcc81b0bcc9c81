// expect: unknown "was joined or detached"
#include <pthread.h>

void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  pthread_detach(one);
  pthread_detach(two);
  pthread_detach(one);
  return 0;
}
