// expect: unsupported "argument of type int * of read_it, which expects union"
#include <assert.h>

typedef union {
  int *number;
  char *text;
} any __attribute__((transparent_union));

static int read_it(any one) { return *one.number; }

int main(void) {
  int x = 3;
  assert(read_it(&x) == 3);
  return 0;
}
