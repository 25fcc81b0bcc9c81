// expect: true args: --property no-misuse
// A thread that ends with a lock is told of in a warning; that main returns with one is not.
#include <pthread.h>

static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t released = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t read = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&released);
  if (pthread_mutex_trylock(&kept) == 0)
    pthread_rwlock_rdlock(&read);
  pthread_mutex_unlock(&released);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&released);
  return 0;
}
