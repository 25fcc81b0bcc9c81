// expect: false(unreach-call)
// The time may be over before a signal comes.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>

int main(void) {
  sigset_t set;
  struct timespec most = {1, 0};
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, 0);
  int got = sigtimedwait(&set, 0, &most);
  assert(got == SIGTERM || (got == -1 && errno == EAGAIN));
  assert(got == SIGTERM);
  return 0;
}
