// expect: unknown "call of realloc through a pointer" args: --property valid-memtrack
// expect: unknown "call of realloc through a pointer" args: --property valid-memcleanup
// What comes behind a bound of the tool allocates and frees, though nothing before it does.
#include <stdlib.h>

static void *(*resize)(void *memory, size_t size) = realloc;

int main(void) {
  int *number = resize(NULL, sizeof *number);
  *number = 3;
  number = 0;
  return 0;
}
