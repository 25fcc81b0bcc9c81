// expect: false(unreach-call)
// Neighbouring bit-fields share a memory location: writing one can undo a write of the other.
#include <assert.h>
#include <pthread.h>

struct {
  unsigned a : 1, b : 1;
} flags;

static void *first(void *unused) {
  flags.a = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  flags.b = 1;
  pthread_join(t, 0);
  assert(flags.a == 1 && flags.b == 1);
  return 0;
}
