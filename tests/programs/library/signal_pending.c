// expect: true
// A signal that is blocked is pending, once, until it is unblocked: then its handler runs.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen++; }

static void *thread(void *unused) {
  sigset_t set, old, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_UNBLOCK, 0, &old) == 0 && sigismember(&old, SIGUSR1) == 1);
  raise(SIGUSR1);
  raise(SIGUSR1);
  assert(seen == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  assert(seen == 1);
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 0);
  return 0;
}

int main(void) {
  sigset_t set;
  pthread_t one;
  signal(SIGUSR1, note);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&one, 0, thread, 0);
  pthread_join(one, 0);
  raise(SIGUSR1);
  assert(seen == 1);
  return 0;
}
