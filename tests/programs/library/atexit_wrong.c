// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

static int saved;

static void check(void) { assert(saved); }

int main(int count, char **arguments) {
  atexit(check);
  if (count > 3)
    exit(1);
  saved = 1;
  return 0;
}
