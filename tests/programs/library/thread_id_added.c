// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

int main(void) {
  int found[4] = {0}, *at = found;
  at += pthread_self();
  *at = 1;
  assert(found[1]);
  return 0;
}
