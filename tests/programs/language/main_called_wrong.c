// expect: false(unreach-call)
// `main` is a function that may be called; without a value its result is 0.
#include <assert.h>

static int depth;

int main(void) {
  if (depth++ == 0) assert(main() != 0);
}
