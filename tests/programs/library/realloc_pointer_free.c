// expect: unknown "call of realloc through a pointer" args: --property valid-free
// What comes behind a bound of the tool frees, though nothing before it does.
#include <stdlib.h>

static void *(*resize)(void *memory, size_t size) = realloc;

int main(void) {
  int number;
  return resize(&number, 8) != NULL;
}
