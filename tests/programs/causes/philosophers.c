// expect: false(no-deadlock) args: --property no-deadlock
// cause: lock order cycle
// Three philosophers take the left fork first.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t fork[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int numbers[3] = {0, 1, 2};

static void *eats(void *arg) {
  int me = *(int *)arg;
  pthread_mutex_lock(&fork[me]);  // <-
  pthread_mutex_lock(&fork[(me + 1) % 3]);  // <-
  pthread_mutex_unlock(&fork[(me + 1) % 3]);
  pthread_mutex_unlock(&fork[me]);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) {
    pthread_create(&t[i], 0, eats, &numbers[i]);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(t[i], 0);
  }
  return 0;
}
