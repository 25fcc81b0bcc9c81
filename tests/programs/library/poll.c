// expect: true args: --property unreach-call,no-deadlock,no-data-race
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
  write(ends[1], "a", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  if (pipe(ends) != 0)
    return 1;
  struct pollfd both[2] = {{ends[0], POLLIN, 0}, {-1, POLLIN, 7}};
  assert(poll(both, 2, 0) == 0);
  pthread_create(&thread, 0, writer, 0);
  assert(poll(both, 2, -1) == 1);
  assert(both[0].revents == POLLIN && both[1].revents == 0);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'a');
  pthread_join(thread, 0);
  close(ends[1]);
  assert(poll(both, 1, -1) == 1 && both[0].revents == POLLHUP);
  return 0;
}
