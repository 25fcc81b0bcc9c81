// expect: true args: --property unreach-call --property no-data-race --property no-deadlock
// A thread that waits for signals of its set is told one of them; nobody's handler runs.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stop;
static sigset_t set;

static void *waits(void *unused) {
  int number = 0;
  assert(sigwait(&set, &number) == 0);
  assert(number == SIGTERM || number == SIGUSR1);
  pthread_mutex_lock(&lock);
  stop = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t one;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&one, 0, waits, 0);
  pthread_mutex_lock(&lock);
  assert(stop == 0 || stop == 1);
  pthread_mutex_unlock(&lock);
  assert(pthread_kill(one, SIGUSR1) == 0);
  pthread_join(one, 0);
  assert(stop == 1);
  return 0;
}
