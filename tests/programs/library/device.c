// expect: unknown "call of ioctl: what it does to a device is not known" args: --property unreach-call
#include <assert.h>
#include <sys/ioctl.h>

int main(int argc, char **argv) {
  struct winsize size = {0};
  if (argc > 1)
    ioctl(1, TIOCGWINSZ, &size);
  assert(size.ws_row == 0);
  return 0;
}
