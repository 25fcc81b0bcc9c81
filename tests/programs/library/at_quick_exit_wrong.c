// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

static int runs;

static void count(void) {
  runs++;
  assert(runs < 2);
}

static void never(void) { assert(0); }

int main(void) {
  atexit(never);
  at_quick_exit(count);
  at_quick_exit(count);
  quick_exit(0);
}
