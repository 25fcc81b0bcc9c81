// expect: false(no-data-race) args: --property no-data-race
// cause: freed too early
// What two threads use is freed when one of them has ended.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  int *mine = arg;
  *mine += 1;  // <-
  return 0;
}

int main(void) {
  pthread_t a, b;
  int *both = calloc(2, sizeof *both);
  pthread_create(&a, 0, worker, &both[0]);
  pthread_create(&b, 0, worker, &both[1]);
  pthread_join(a, 0);
  free(both);  // <-
  pthread_join(b, 0);
  return 0;
}
