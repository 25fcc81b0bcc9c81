// expect: true args: --property unreach-call
// Handlers run before raise returns; default actions and what is ignored.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t seen;

static void note(int number) {
  seen = number;
  
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  assert(sigaction(SIGUSR1, &action, 0) == 0);
  assert(raise(SIGUSR1) == 0 && seen == SIGUSR1);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR2, note);
  seen = 0;
  raise(SIGUSR1);
  assert(seen == 0);
  assert(pthread_kill(pthread_self(), SIGUSR2) == 0 && seen == SIGUSR2);
  assert(raise(SIGCHLD) == 0 && raise(NSIG) == -1);
  raise(SIGTERM);
  assert(0);
  return 0;
}
