// expect: false(no-partial-deadlock) args: --property no-partial-deadlock
// Three threads with a lock on the heap, a rwlock and a spin lock, in a circle; the program ends.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *forks;
static pthread_rwlock_t knife = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spoon;

static void *first(void *arg) {
  pthread_mutex_lock(forks);
  pthread_rwlock_rdlock(&knife);
  pthread_rwlock_unlock(&knife);
  pthread_mutex_unlock(forks);
  return arg;
}

static void *second(void *arg) {
  pthread_rwlock_wrlock(&knife);
  pthread_spin_lock(&spoon);
  pthread_spin_unlock(&spoon);
  pthread_rwlock_unlock(&knife);
  return arg;
}

static void *third(void *arg) {
  pthread_spin_lock(&spoon);
  pthread_mutex_lock(forks);
  pthread_mutex_unlock(forks);
  pthread_spin_unlock(&spoon);
  return arg;
}

int main(void) {
  pthread_t t;
  forks = malloc(sizeof(*forks));
  pthread_mutex_init(forks, 0);
  pthread_spin_init(&spoon, 0);
  pthread_create(&t, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_create(&t, 0, third, 0);
  return 0;
}
