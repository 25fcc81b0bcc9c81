// expect: false(unreach-call)
// A struct is copied member by member: another thread can come in between.
#include <assert.h>
#include <pthread.h>

struct pair {
  int a, b;
} shared;

static void *writer(void *unused) {
  struct pair both = {1, 1};
  shared = both;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct pair seen = shared;
  assert(seen.a == seen.b);
  return 0;
}
