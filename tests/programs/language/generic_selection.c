// expect: true
// _Generic chooses by type and does not evaluate its operand; _Static_assert.
#include <assert.h>

#define kind(x)                                                                                    \
  _Generic((x), int: 1, unsigned: 2, long: 3, char: 4, unsigned char: 8, default: 9)
#define pointer_kind(x) _Generic((x), char *: 5, int *: 7, int (*)[2] : 6)
#define apply(f, x) _Generic((x), int: f##_int, char *: f##_text)(x)

static int size_int(int x) { return x; }
static int size_text(char *x) { return x[0]; }

_Static_assert(sizeof(int) == 4, "int has four bytes");

int main(void) {
  int i = 0;
  char c = 'a';
  unsigned char uc = 1;
  const int fixed = 3;
  int array[2];
  assert(kind(i) == 1 && kind(1u) == 2 && kind(1L) == 3 && kind(c) == 4 && kind('a') == 1 && kind(uc) == 8);
  assert(pointer_kind("x") == 5 && pointer_kind(array) == 7 && pointer_kind(&array) == 6);
  assert(kind(c + c) == 1 && kind(fixed) == 1 && kind(i++) == 1 && i == 0);
  assert(apply(size, 42) == 42 && apply(size, &c) == 'a');
  _Static_assert(kind(1) == 1, "also in blocks");
  return 0;
}
