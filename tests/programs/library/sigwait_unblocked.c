// expect: unknown "that it does not block"
// Undefined: the signal might be delivered instead.
#include <signal.h>

int main(void) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigwait(&set, &number);
  return 0;
}
