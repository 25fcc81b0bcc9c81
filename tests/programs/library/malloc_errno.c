// expect: false(unreach-call) args: --malloc-may-fail
// What fails for want of memory says so.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
  errno = 0;
  if (malloc(4) == NULL)
    assert(errno != ENOMEM);
  return 0;
}
