/* Signals are blocked in all threads, and one thread waits for them. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <signal.h>

static sigset_t signals;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stop;

static void *waiter(void *unused) {
  (void)unused;
  int number;
  if (sigwait(&signals, &number) == 0) {
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_kill(thread, SIGTERM);
  pthread_join(thread, NULL);
  assert(stop == 1);
  return 0;
}
