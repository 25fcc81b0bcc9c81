// expect: true
// A signal for another thread that blocks it is pending there, and nowhere else, until it is unblocked.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static volatile sig_atomic_t seen;
static sem_t sent;

static void note(int number) { seen++; }

static void *thread(void *unused) {
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sem_wait(&sent);
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1 && seen == 0);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  assert(seen == 1);
  return 0;
}

int main(void) {
  sigset_t set, pending;
  pthread_t one;
  signal(SIGUSR1, note);
  sem_init(&sent, 0, 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&one, 0, thread, 0);
  assert(pthread_kill(one, SIGUSR1) == 0);
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 0);
  sem_post(&sent);
  pthread_join(one, 0);
  return 0;
}
