// expect: false(no-deadlock) args: --property no-deadlock
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte;
  if (pipe(ends) == 0) // the other end is open: there is no end of the file
    read(ends[0], &byte, 1);
  return 0;
}
