// expect: unknown "sent to another thread"
#include <pthread.h>
#include <signal.h>

static void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  if (pthread_kill(thread, 0) == 0)
    pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  return 0;
}
