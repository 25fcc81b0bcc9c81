// expect: unknown "raises SIGPIPE"
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends) == 0) {
    close(ends[0]);
    write(ends[1], "a", 1);
  }
  return 0;
}
