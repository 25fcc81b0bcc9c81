// expect: true args: --property unreach-call --property no-overflow
// Some bytes are sent, and the offset tells how many; not from a pipe.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  int file = open("a", O_RDONLY);
  off_t offset = 5;
  ssize_t sent;
  if (file < 0)
    return 1;
  sent = sendfile(1, file, &offset, 10);
  assert(sent >= -1 && sent <= 10);
  assert(offset == (sent == -1 ? 5 : 5 + sent));
  offset = -1;
  assert(sendfile(1, file, &offset, 10) == -1 && errno == EINVAL);
  if (pipe(ends) == 0)
    assert(sendfile(1, ends[0], 0, 10) == -1 && errno == EINVAL);
  assert(sendfile(77, file, 0, 10) == -1 && errno == EBADF);
  return 0;
}
