// expect: false(unreach-call)
// Which one is told of first is left open.
#include <assert.h>
#include <sys/epoll.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  struct epoll_event event = {.events = EPOLLIN, .data.fd = 0}, other = {.events = EPOLLOUT, .data.fd = 1}, told;
  int epoll = epoll_create(1);
  if (epoll < 0 || pipe(ends) != 0)
    return 1;
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) != 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, ends[1], &other) != 0)
    return 1;
  write(ends[1], "a", 1);
  assert(epoll_wait(epoll, &told, 1, -1) != 1 || told.data.fd == 0);
  return 0;
}
