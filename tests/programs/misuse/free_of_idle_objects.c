// expect: true args: --property no-misuse
// Nobody holds what is freed, or waits for it. What is locked when main returns does not end before.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct all {
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  sem_t sem;
  int ready;
};

static void *worker(void *arg) {
  struct all *all = arg;
  pthread_mutex_lock(&all->mutex);
  while (!all->ready)
    pthread_cond_wait(&all->cond, &all->mutex);
  pthread_mutex_unlock(&all->mutex);
  sem_wait(&all->sem);
  pthread_rwlock_rdlock(&all->rwlock);
  pthread_rwlock_unlock(&all->rwlock);
  pthread_spin_lock(&all->spin);
  pthread_spin_unlock(&all->spin);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_t last = PTHREAD_MUTEX_INITIALIZER;
  struct all *all = calloc(1, sizeof *all);
  sem_init(&all->sem, 0, 0);
  pthread_spin_init(&all->spin, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, 0, worker, all);
  pthread_mutex_lock(&all->mutex);
  all->ready = 1;
  pthread_cond_signal(&all->cond);
  pthread_mutex_unlock(&all->mutex);
  sem_post(&all->sem);
  pthread_join(t, 0);
  pthread_mutex_destroy(&all->mutex);
  sem_destroy(&all->sem);
  free(all);
  pthread_mutex_lock(&last);
  return 0;
}
