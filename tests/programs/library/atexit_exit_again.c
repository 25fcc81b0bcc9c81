// expect: unknown "ended again"
#include <stdlib.h>

static void again(void) { exit(2); }

int main(void) {
  atexit(again);
  exit(1);
}
