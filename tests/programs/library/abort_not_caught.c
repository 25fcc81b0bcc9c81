// expect: true
// What ends by a trap, or ignores SIGABRT, runs no handler of it; after the handler the program ends.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int calls;

void handle(int number) {
  assert(number == SIGABRT);
  calls++;
}

void never(int number) {
  assert(0);
}

int main(void) {
  switch (__VERIFIER_nondet_uchar()) {
  case 0:
    signal(SIGABRT, never);
    __builtin_trap();
  case 1:
    signal(SIGABRT, never);
    signal(SIGABRT, SIG_IGN);
    abort();
  default:
    signal(SIGABRT, handle);
    abort();
  }
  assert(0);
  return 0;
}
