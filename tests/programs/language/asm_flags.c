// expect: true
/* Results and flags of instructions, as processors give them. */
#include <assert.h>

#define TEST(instruction, width, flag, a, b, result, set) \
  do { \
    width x = (width)(a); \
    unsigned char f; \
    __asm__ volatile(instruction " %2,%0; set" flag " %1" : "+r"(x), "=qm"(f) : "r"((width)(b))); \
    assert(x == (width)(result) && f == (set)); \
  } while (0)

int main(void) {
  TEST("addl", int, "c", -1, 1, 0, 1);
  TEST("addl", int, "c", 2147483647, 1, -2147483647 - 1, 0);
  TEST("addl", int, "s", 2147483647, 1, -2147483647 - 1, 1);
  TEST("subl", int, "c", 0, 1, -1, 1);
  TEST("subl", int, "ae", 3, 3, 0, 1);
  TEST("subq", long, "z", 3, 3, 0, 1);
  TEST("subw", short, "ns", 3, 4, -1, 0);
  TEST("andl", unsigned, "nz", 6, 3, 2, 1);
  TEST("orb", unsigned char, "s", 128, 3, 131, 1);
  TEST("xorl", int, "c", 5, 3, 6, 0);
  TEST("testl", int, "z", 5, 2, 5, 1);
  TEST("cmpl", int, "l", -1, 1, -1, 1);
  TEST("cmpl", int, "b", -1, 1, -1, 0);
  TEST("cmpl", int, "le", 1, 1, 1, 1);
  TEST("cmpl", int, "a", 2, 1, 2, 1);
  TEST("cmpl", int, "g", 1, 1, 1, 0);
  TEST("cmpl", int, "ne", 1, 2, 1, 1);
  TEST("btl", int, "c", 10, 3, 10, 1);
  TEST("btl", int, "c", 10, 34, 10, 0);
  TEST("btsl", int, "c", 8, 33, 10, 0);
  TEST("btrl", int, "c", 10, 1, 8, 1);
  TEST("btcl", int, "nc", 10, 0, 11, 1);
  int n = 4;
  __asm__("notl %0" : "+r"(n));
  assert(n == -5);
  __asm__("decl %0; incl %0" : "+r"(n));
  assert(n == -5);
  int carry, old = 7;
  __asm__("btl %2,%1; sbbl %0,%0" : "=r"(carry) : "r"(old), "Ir"(2));
  assert(carry == -1);
  int highest = 9;
  __asm__("bsrl %1,%0" : "+r"(highest) : "r"(0x50));
  assert(highest == 6);
  int other = 1;
  __asm__("xchgl %0,%1" : "+r"(highest), "+r"(other));
  assert(highest == 1 && other == 6);
  int words[3] = {1, 2, 4}, *at = words, *end = words;
  long count = 2;
  __asm__("rep; movsl" : "+S"(at), "+D"(end), "+c"(count) : : "memory");
  assert(at == words + 2 && end == words + 2 && count == 0);
  return 0;
}
