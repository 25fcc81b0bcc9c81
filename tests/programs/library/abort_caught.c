// expect: false(unreach-call)
// A handler of SIGABRT runs before the program is aborted.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>

void handle(int number) {
  assert(number != SIGABRT);
}

int main(void) {
  signal(SIGABRT, handle);
  abort();
}
