// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *unused) {
  assert(errno == 0);
  errno = EINTR;
  return 0;
}

int main(void) {
  pthread_t t;
  errno = EIO;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(errno == EIO);
  assert(*__errno_location() == EIO);
  return 0;
}
