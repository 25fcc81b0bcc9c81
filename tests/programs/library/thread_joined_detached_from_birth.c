// expect: unknown "a thread is joined that was joined or detached"
#include <assert.h>
#include <pthread.h>

void *run(void *arg) { return 0; }

int main(void) {
  pthread_t thread;
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &detached, run, 0);
  assert(pthread_join(thread, 0) == 0);
  return 0;
}
