// expect: false(no-deadlock) args: --property no-deadlock
#include <poll.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends) == 0) {
    struct pollfd one = {ends[0], POLLIN, 0};
    poll(&one, 1, 100); // may be over
    poll(&one, 1, -1);  // is not
  }
  return 0;
}
