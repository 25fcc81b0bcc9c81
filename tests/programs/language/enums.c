// expect: true
// Enumerators are ints; their values continue, and may refer to earlier ones; scopes.
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE, ALIAS = GREEN, AFTER, MINUS = -3, NEXT, SHIFT = 1 << 4 };
typedef enum { A = 'a', B, SIZE = sizeof(int) * 2 } letters;

struct pixel {
  enum colour colour;
  enum { SMALL = 10, LARGE } size;
};

static int table[SHIFT] = {[BLUE] = 1, [RED] = 2};

int main(void) {
  assert(RED == 0 && BLUE == 6 && AFTER == 6 && NEXT == -2 && SHIFT == 16 && B == 98 && SIZE == 8);
  assert(sizeof(enum colour) == 4 && sizeof(RED) == 4);
  enum colour c = BLUE;
  c++;
  assert(c == 7);
  c = NEXT;
  assert(c < 0);
  struct pixel p = {GREEN, LARGE};
  assert(p.colour + p.size == 16);
  assert(table[6] == 1 && table[0] == 2 && sizeof table / sizeof *table == 16);
  letters l = A;
  switch (l) {
  case A:
    l = B;
    break;
  case B:
    l = SIZE;
  }
  assert(l == B);
  {
    enum { RED = 40, GREEN };
    assert(RED == 40 && GREEN == 41);
  }
  assert(RED == 0 && GREEN == 5);
  return 0;
}
