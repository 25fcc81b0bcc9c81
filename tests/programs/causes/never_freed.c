// expect: false(valid-memtrack) args: --property valid-memtrack
// cause: never freed
// Who puts his message into a slot does not free the one that is there.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *slot;

static void *puts_one(void *arg) {
  int *message = malloc(sizeof *message);  // <-
  pthread_mutex_lock(&m);
  slot = message;  // <-
  message = 0;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *takes_one(void *arg) {
  pthread_mutex_lock(&m);
  free(slot);
  slot = 0;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, puts_one, 0);
  pthread_create(&b, 0, takes_one, 0);
  pthread_create(&c, 0, puts_one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  free(slot);
  return 0;
}
