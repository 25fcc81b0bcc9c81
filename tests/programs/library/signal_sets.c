// expect: true
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void handler(int number) {}

int main(void) {
  sigset_t set, before;
  sigemptyset(&set);
  assert(sigaddset(&set, SIGTERM) == 0 && sigaddset(&set, 0) == -1);
  assert(sigismember(&set, SIGTERM) == 1 && sigismember(&set, SIGINT) == 0);
  assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
  sigdelset(&set, SIGTERM);
  assert(sigprocmask(SIG_SETMASK, &set, &before) == 0);
  assert(sigismember(&before, SIGTERM) == 1 && sigismember(&before, SIGINT) == 0);
  assert(signal(SIGINT, handler) == SIG_DFL && signal(SIGINT, SIG_IGN) == handler);
  assert(signal(SIGKILL, handler) == SIG_ERR);
  struct sigaction action = {.sa_handler = handler}, old;
  assert(sigaction(SIGINT, &action, &old) == 0 && old.sa_handler == SIG_IGN);
  return 0;
}
