// expect: false(unreach-call)
// A thread calls what another one stores.
#include <assert.h>
#include <pthread.h>

static int good(void) { return 1; }
static int bad(void) { return 0; }
static int (*hook)(void) = good;

static void *writer(void *unused) {
  hook = bad;
  return 0;
}
static void *caller(void *unused) {
  assert(hook());
  return 0;
}

int main(void) {
  void *(*bodies[])(void *) = {writer, caller};
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, bodies[i], 0);
  return 0;
}
