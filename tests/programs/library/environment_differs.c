// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

int main(void) {
  const char *one = getenv("ONE"), *two = getenv("TWO");
  if (one && two)
    assert(one[0] == two[0]);
  return 0;
}
