// expect: false(no-misuse) args: --property no-misuse
/* A thread that may have been joined is joined again. */
#define _GNU_SOURCE
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_tryjoin_np(id, 0);
  pthread_join(id, 0);
  return 0;
}
