// expect: unknown "call of longjmp: jumps out of functions are not supported" args: --property unreach-call
// What follows a jump is not known: here an error.
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

static void fail(void) { longjmp(place, 1); }

int main(void) {
  volatile int tries = 0;
  if (setjmp(place)) {
    assert(tries == 0);
    return 1;
  }
  tries++;
  fail();
  return 0;
}
