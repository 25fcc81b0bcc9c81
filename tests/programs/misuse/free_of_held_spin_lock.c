// expect: false(no-misuse) "[1]" args: --property no-misuse
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  pthread_spinlock_t *locks = arg;
  pthread_spin_lock(&locks[1]);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_spinlock_t *locks = malloc(2 * sizeof *locks);
  pthread_spin_init(&locks[0], PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&locks[1], PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, 0, worker, locks);
  pthread_join(t, 0);
  free(locks);
  return 0;
}
