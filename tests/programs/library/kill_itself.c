// expect: true args: --property unreach-call,no-deadlock
// The only thread that does not block a signal takes it before kill returns; one that all block is pending.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen = number; }

static void *waiter(void *set) {
  int number;
  assert(sigwait(set, &number) == 0 && number == SIGTERM);
  return 0;
}

int main(void) {
  sigset_t set, pending;
  pthread_t thread;
  signal(SIGUSR1, note);
  assert(kill(getpid(), SIGUSR1) == 0 && seen == SIGUSR1);
  assert(kill(getpid(), NSIG) == -1 && errno == EINVAL);
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&thread, 0, waiter, &set);
  assert(kill(getpid(), SIGTERM) == 0);
  pthread_join(thread, 0);
  return 0;
}
