// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

unsigned long number(void) { return pthread_self(); }

int main(void) {
  assert(number() == 1);
  return 0;
}
