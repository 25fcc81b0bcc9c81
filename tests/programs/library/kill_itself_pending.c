// expect: false(unreach-call)
// Any thread that unblocks what is pending for the process takes it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static sigset_t set;

static void note(int number) { seen++; }

static void *unblocks(void *unused) {
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, note);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR1);
  assert(seen == 0);
  pthread_create(&thread, 0, unblocks, 0);
  pthread_join(thread, 0);
  assert(seen == 0);
  return 0;
}
