// expect: false(unreach-call)
// Each thread begins with the initial value, not with what its creator has made of it.
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 1;
static int seen;

static void *thread(void *p) {
  seen = mine;
  return 0;
}

int main(void) {
  pthread_t t;
  mine = 2;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(mine == 2);
  assert(seen == 2);
  return 0;
}
