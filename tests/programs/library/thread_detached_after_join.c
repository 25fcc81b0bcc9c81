// expect: unknown "was joined or detached"
// POSIX leaves detaching a joined thread undefined: no error number can be relied on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *unused) { return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(pthread_detach(t) == ESRCH);
  return 0;
}
