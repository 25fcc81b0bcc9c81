// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

static int look(const unsigned long *at) { return *at == 1; }

int main(void) {
  unsigned long me = (unsigned long)pthread_self();
  assert(look(&me));
  return 0;
}
