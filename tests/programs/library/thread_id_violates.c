// expect: false(unreach-call)
// What thread ids are in the model is possible: a violation by their numbers is one.
#include <assert.h>
#include <pthread.h>

int main(void) {
  assert(pthread_self() % 2 == 0);
  return 0;
}
