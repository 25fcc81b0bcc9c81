// expect: false(no-deadlock) args: --property no-deadlock
// With EPOLLONESHOT a descriptor is told of once, until it is asked about again.
#include <sys/epoll.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = 1}, told;
  int epoll = epoll_create1(0);
  if (epoll < 0 || pipe(ends) != 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) != 0)
    return 1;
  write(ends[1], "a", 1);
  epoll_wait(epoll, &told, 1, -1);
  epoll_wait(epoll, &told, 1, -1);
  return 0;
}
