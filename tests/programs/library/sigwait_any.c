// expect: false(unreach-call)
// Any signal of the set may come from outside, also before the program sends one.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static sigset_t set;

static void *waits(void *unused) {
  siginfo_t info;
  assert(sigwaitinfo(&set, &info) == info.si_signo);
  assert(info.si_signo == SIGUSR1);
  return 0;
}

int main(void) {
  pthread_t one;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&one, 0, waits, 0);
  pthread_kill(one, SIGUSR1);
  pthread_join(one, 0);
  return 0;
}
