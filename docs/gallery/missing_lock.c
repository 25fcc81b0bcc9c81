// Missing lock
//
// The worker takes the lock to count what it has done, and who shows the progress does not. That is a data race, which C does
// not define, even where the machine reads an `int` in one piece.
//
// repair: Every access holds the lock.
// property: no-data-race
// cause: missing lock
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int shown = done;
  printf("%d of 3\n", shown);
  pthread_join(thread, NULL);
  return 0;
}
