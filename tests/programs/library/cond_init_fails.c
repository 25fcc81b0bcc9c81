// expect: false(unreach-call) args: --creation-may-fail
#include <assert.h>
#include <pthread.h>

pthread_cond_t object;

int main(void) {
  assert(pthread_cond_init(&object, 0) == 0);
  return 0;
}
