// expect: false(valid-deref) args: --property valid-deref
#include <stdint.h>

static int array[4];
static unsigned bytes = 16;

int main(void) {
  int *last = (void *)((uintptr_t)array + bytes);
  return *last;
}
