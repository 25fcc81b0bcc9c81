// expect: false(unreach-call)
// What was set is not kept, and the call may fail: what is told is anything.
#include <assert.h>
#include <sys/socket.h>

int main(void) {
  int error = 0;
  socklen_t size = sizeof error;
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s >= 0 && getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size) == 0)
    assert(error == 0);
  return 0;
}
