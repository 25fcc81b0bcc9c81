// expect: unknown "several threads, or another one, may take" args: --engine explicit
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void note(int number) {}

static void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, note);
  pthread_create(&thread, 0, worker, 0);
  kill(getpid(), SIGUSR1);
  pthread_join(thread, 0);
  return 0;
}
