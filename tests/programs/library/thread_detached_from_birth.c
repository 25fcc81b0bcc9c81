// expect: unknown "was joined or detached"
// A thread that begins detached cannot be detached.
#include <pthread.h>

void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, worker, 0);
  pthread_detach(t);
  return 0;
}
