// expect: false(unreach-call) args: --property unreach-call --undefined-functions havoc
#include <assert.h>
#include <sys/ioctl.h>

int main(void) {
  struct winsize size = {0};
  assert(ioctl(1, TIOCGWINSZ, &size) == 0);
  return 0;
}
