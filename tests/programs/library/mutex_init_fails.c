// expect: false(unreach-call) args: --creation-may-fail
#include <assert.h>
#include <pthread.h>

pthread_mutex_t object;

int main(void) {
  assert(pthread_mutex_init(&object, 0) == 0);
  return 0;
}
