// expect: false(unreach-call) args: --property unreach-call
// A call that is not modelled hides no error that comes before, or on another way.
#include <assert.h>
#include <sys/ioctl.h>

int main(int argc, char **argv) {
  struct winsize size = {0};
  if (argc > 1)
    ioctl(1, TIOCGWINSZ, &size);
  else
    assert(size.ws_row == 1);
  return 0;
}
