// expect: false(unreach-call)
// The other thread may unblock the signal before, or after it is sent; when it has not, no handler runs.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen++; }

static void *thread(void *unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &set, 0);
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
  pthread_kill(one, SIGUSR1);
  pthread_join(one, 0);
  assert(seen == 1);
  return 0;
}
