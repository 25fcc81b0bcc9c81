// expect: true args: --property unreach-call,no-deadlock
// Who waits is told what was given for the descriptor, until it is closed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];
static int mark;

static void *writer(void *unused) {
  write(ends[1], "a", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  char byte;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &mark}, told[2];
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0 || pipe(ends) != 0)
    return 1;
  assert(epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &event) == -1 && errno == ENOENT);
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) != 0)
    return 1;
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == -1 && errno == EEXIST);
  assert(epoll_wait(epoll, told, 2, 0) == 0);
  pthread_create(&thread, 0, writer, 0);
  assert(epoll_wait(epoll, told, 2, -1) == 1 && told[0].events == EPOLLIN);
  *(int *)told[0].data.ptr = 5;
  assert(read(ends[0], &byte, 1) == 1 && byte == 'a' && mark == 5);
  pthread_join(thread, 0);
  close(ends[1]);
  assert(epoll_wait(epoll, told, 2, -1) == 1 && told[0].events == EPOLLHUP);
  close(ends[0]);
  assert(epoll_wait(epoll, told, 2, 5) == 0);
  close(epoll);
  return 0;
}
