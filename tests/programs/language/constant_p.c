// expect: true
// __builtin_constant_p is 1 for constant expressions, 0 where a constant is required, else either.
#include <assert.h>
#include <stddef.h>

enum { LENGTH = 4 };
int variable;
static int table[__builtin_constant_p(LENGTH) ? 3 : 5];
static int early = __builtin_constant_p(variable);
_Static_assert(sizeof(max_align_t) == (sizeof(long) == 8 ? 32 : 48), "as in GCC");

int main(void) {
  int local = 3, count = 0;
  assert(__builtin_constant_p(3 + LENGTH) && __builtin_constant_p("text"));
  assert(sizeof table == 3 * sizeof(int) && early == 0);
  assert(__builtin_choose_expr(__builtin_constant_p(local), 1, 2) == 2);
  int known = __builtin_constant_p(local);
  assert(known == 0 || known == 1);
  assert(__builtin_constant_p(count++) == 0 && count == 0);
  return 0;
}
