// expect: false(unreach-call) args: --creation-may-fail
#include <assert.h>
#include <pthread.h>

pthread_key_t object;

int main(void) {
  assert(pthread_key_create(&object, 0) == 0);
  return 0;
}
