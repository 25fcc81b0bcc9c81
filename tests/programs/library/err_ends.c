// expect: true
// err ends the program as exit does, warn does not; the process keeps its number.
#include <assert.h>
#include <err.h>
#include <stdlib.h>
#include <unistd.h>

static int handled;

static void last(void) {
  handled++;
  assert(handled == 1);
}

int main(void) {
  atexit(last);
  if (getpid() == 7) {
    warnx("the number is %d", 7);
    err(1, NULL);
  }
  assert(getpid() == getpid() && getpid() > 0 && getpid() != 7);
  return 0;
}
