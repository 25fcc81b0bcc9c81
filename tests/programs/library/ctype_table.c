// expect: true
/* What the macros of the headers of glibc look at is what the functions say. */
#include <assert.h>
#include <ctype.h>

extern const unsigned short **__ctype_b_loc(void);

static int has(int bit, int c) {
  return (*__ctype_b_loc())[c] & (unsigned short)(bit < 8 ? 1 << bit << 8 : 1 << bit >> 8);
}

int main(void) {
  for (int c = -128; c < 256; c += c < -1 ? 127 : c > 128 ? 126 : 1) {
    assert(!has(0, c) == !isupper(c) && !has(1, c) == !islower(c));
    assert(!has(2, c) == !isalpha(c) && !has(3, c) == !isdigit(c));
    assert(!has(4, c) == !isxdigit(c) && !has(5, c) == !isspace(c));
    assert(!has(6, c) == !isprint(c) && !has(7, c) == !isgraph(c));
    assert(!has(8, c) == !isblank(c) && !has(9, c) == !iscntrl(c));
    assert(!has(10, c) == !ispunct(c) && !has(11, c) == !isalnum(c));
  }
  return 0;
}
