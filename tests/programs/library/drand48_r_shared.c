// expect: false(no-data-race) args: --property no-data-race
#include <pthread.h>
#include <stdlib.h>

static struct drand48_data state;

static void *draws(void *arg) {
  long n;
  lrand48_r(&state, &n);
  return arg;
}

int main(void) {
  pthread_t a;
  srand48_r(1, &state);
  pthread_create(&a, 0, draws, 0);
  draws(0);
  pthread_join(a, 0);
  return 0;
}
