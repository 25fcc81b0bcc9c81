// expect: true args: --property unreach-call
// A place to jump to is left as it is reached, with 0, where nothing jumps there.
#include <assert.h>
#include <setjmp.h>

static jmp_buf place, other;

int main(void) {
  int tries = 0;
  if (setjmp(place) == 0)
    tries++;
  if (sigsetjmp(other, 1))
    longjmp(place, 1);
  assert(tries == 1);
  return 0;
}
