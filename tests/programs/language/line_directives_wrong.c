// expect: false(unreach-call)
// `#line` counts where it is read, not where a conditional leaves it out; it takes macros.
#include <assert.h>

int main(void) {
#if 0
#line 900 "no.c"
#include nothing
it's "unterminated
#endif
#line 100 "foo.c"
  assert(__LINE__ == 100 && sizeof(__FILE__) == 6);
#if __LINE__ == 101
  int x = 1;
#endif
#define LINE 200
#line LINE
  assert(x == 1 && __LINE__ == 200);
# 300
  assert(__LINE__ == 301 && sizeof(__FILE__) == 6);
  return 0;
}
