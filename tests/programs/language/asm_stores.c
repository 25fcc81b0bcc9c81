// expect: false(unreach-call)
// A value that goes through a register is stored again, and overwrites what others have written.
#include <assert.h>
#include <pthread.h>

int g;

static void *raise(void *unused) {
  __asm__("" : "+r"(g));
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, raise, 0);
  g = 1;
  pthread_join(id, 0);
  assert(g == 1);
  return 0;
}
