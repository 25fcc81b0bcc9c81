// expect: false(unreach-call)
/* A join that does not wait says nothing of a thread that runs. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int done;

static void *work(void *unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_tryjoin_np(id, 0);
  assert(done == 1);
  return 0;
}
