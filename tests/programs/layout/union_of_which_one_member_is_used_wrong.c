// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

union value {
  void *pointer;
  long number;
  short small;
};
struct item {
  int kind;
  union value value;
};

static struct item made(short n) {
  struct item it;
  it.kind = 1;
  it.value.small = n;
  return it;
}

int main(void) {
  struct item copy = made(7), *kept = malloc(sizeof *kept);
  *kept = copy;
  assert(kept->value.small == 8 && sizeof(union value) == sizeof(void *));
  free(kept);

  int ends[2], epoll = epoll_create1(0);
  struct epoll_event event, got[2];
  if (epoll < 0 || pipe(ends) != 0)
    return 1;
  event.events = EPOLLIN;
  event.data.fd = ends[0];
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0 && epoll_wait(epoll, got, 2, -1) == 1)
    assert(got[0].data.fd == ends[0]);
  return 0;
}
