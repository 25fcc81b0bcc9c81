// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

int ends[2];

void *writer(void *unused) {
  write(ends[1], "x", 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  fd_set set, other;
  struct timeval none = {0, 0};
  char byte = 0;
  if (pipe(ends) != 0)
    return 1;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  assert(FD_ISSET(ends[0], &set) && !FD_ISSET(ends[1], &set));
  assert(select(ends[1] + 1, &set, 0, 0, &none) == 0 && !FD_ISSET(ends[0], &set));
  pthread_create(&thread, 0, writer, 0);
  FD_SET(ends[0], &set);
  FD_ZERO(&other);
  FD_SET(ends[1], &other);
  int ready = select(ends[1] + 1, &set, &other, 0, 0);
  assert(ready == 1 + FD_ISSET(ends[0], &set) && FD_ISSET(ends[1], &other));
  FD_SET(ends[0], &set);
  FD_CLR(ends[1], &other);
  ready = select(ends[1] + 1, &set, &other, 0, 0);
  assert(ready == 1 && FD_ISSET(ends[0], &set));
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  pthread_join(thread, 0);
  FD_SET(9, &set);
  assert(select(10, &set, 0, 0, 0) == -1 && errno == EBADF);
  return 0;
}
