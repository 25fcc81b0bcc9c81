// expect: true
// What is pending arrives when sigsuspend unblocks it, and is blocked again afterwards.
#include <assert.h>
#include <errno.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen++; }

int main(void) {
  sigset_t set, old, now;
  signal(SIGUSR1, note);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, &old);
  raise(SIGUSR1);
  assert(seen == 0);
  assert(sigsuspend(&old) == -1 && errno == EINTR && seen == 1);
  assert(sigprocmask(SIG_BLOCK, 0, &now) == 0 && sigismember(&now, SIGUSR1) == 1);
  return 0;
}
