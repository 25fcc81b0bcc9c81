// expect: true
#include <assert.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

int main(void) {
  int error = 0;
  socklen_t size = sizeof error;
  struct linger lingers;
  struct timeval most;
  assert(getsockopt(9, SOL_SOCKET, SO_ERROR, &error, &size) == -1 && errno == EBADF && error == 0);
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0)
    return 1;
  if (getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size) == 0)
    assert(size == sizeof error);
  size = sizeof lingers;
  if (getsockopt(s, SOL_SOCKET, SO_LINGER, &lingers, &size) == 0)
    assert(size == sizeof lingers);
  size = sizeof most;
  if (getsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &most, &size) == 0)
    assert(size == sizeof most);
  close(s);
  return 0;
}
