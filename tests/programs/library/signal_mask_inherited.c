// expect: false(unreach-call)
// A new thread blocks the signals that its creator blocks: what it sends to itself is pending.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *thread(void *unused) {
  sigset_t pending;
  raise(SIGUSR1);
  sigpending(&pending);
  assert(sigismember(&pending, SIGUSR1) == 0);
  return 0;
}

int main(void) {
  sigset_t set;
  pthread_t one;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&one, 0, thread, 0);
  pthread_join(one, 0);
  return 0;
}
