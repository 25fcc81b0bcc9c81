// expect: true args: --property valid-deref,no-deadlock,no-misuse
// A condition variable may be destroyed, and its memory freed, as soon as nobody waits for a signal.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;
static int ready;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  c = malloc(sizeof *c);
  pthread_cond_init(c, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(c);
  pthread_cond_destroy(c);
  pthread_mutex_unlock(&m);
  free(c);
  pthread_join(t, 0);
  return 0;
}
