// expect: false(unreach-call) args: --creation-may-fail
#include <assert.h>
#include <pthread.h>

void *run(void *arg) { return 0; }

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, 0, run, 0) == 0);
  return 0;
}
