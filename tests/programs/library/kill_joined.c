// expect: true
// Who was joined takes no signal.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen++; }

static void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t thread;
  union sigval value = {4};
  signal(SIGUSR1, note);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  kill(getpid(), SIGUSR1);
  sigqueue(getpid(), SIGUSR1, value);
  assert(seen == 2);
  return 0;
}
