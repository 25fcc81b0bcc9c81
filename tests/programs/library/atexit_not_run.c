// expect: true
// Neither _Exit nor quick_exit nor abort runs what atexit has registered.
#include <assert.h>
#include <stdlib.h>

static void never(void) { assert(0); }

int main(int count, char **arguments) {
  atexit(never);
  if (count == 1)
    _Exit(0);
  if (count == 2)
    quick_exit(0);
  abort();
}
