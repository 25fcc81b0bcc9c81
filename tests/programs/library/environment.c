// expect: true args: --property unreach-call,valid-deref --engine abpress
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *one = getenv("ONE"), *again = getenv("ONE");
  if (one && again)
    assert(one[0] == again[0]);
  if (one)
    assert(strlen(one) < 16);
  return 0;
}
