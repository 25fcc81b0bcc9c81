// expect: true
// The last one first; one that is registered meanwhile is next.
#include <assert.h>
#include <stdlib.h>

static int order;

static void meanwhile(void) {
  assert(order == 12);
  order = order * 10 + 3;
}

static void first(void) { assert(order == 123); }

static void second(void) {
  order = order * 10 + 2;
  atexit(meanwhile);
}

int main(void) {
  assert(atexit(first) == 0);
  assert(atexit(second) == 0);
  order = 1;
  return 0;
}
