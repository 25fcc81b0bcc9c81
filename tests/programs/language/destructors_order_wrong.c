// expect: false(unreach-call)
// Handlers of atexit run before destructors, and destructors in the reverse order of the text.
#include <assert.h>
#include <stdlib.h>

static int ends;

__attribute__((destructor)) static void last(void) { assert(ends == 2); }
__attribute__((destructor)) static void first(void) { ends *= 2; }
static void handler(void) { ends += 2; }

int main(void) {
  atexit(handler);
  return 0;
}
