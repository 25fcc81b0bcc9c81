// expect: true args: --property unreach-call --property no-deadlock
// pause returns when a handler has run, which may be of what comes from outside; waiting for that is no deadlock.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen = number; }

int main(void) {
  signal(SIGUSR1, note);
  signal(SIGTERM, note);
  signal(SIGINT, SIG_IGN);
  assert(pause() == -1 && errno == EINTR);
  assert(seen == SIGUSR1 || seen == SIGTERM);
  return 0;
}
