// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void read(unsigned long *to, const void *from) { memcpy(to, from, sizeof *to); }

int main(void) {
  pthread_t me = pthread_self();
  unsigned long n = 0;
  read(&n, &me);
  assert(n < 100);
  return 0;
}
