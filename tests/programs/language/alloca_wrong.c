// expect: false(unreach-call)
// Memory of alloca lives until the function returns.
#include <alloca.h>
#include <assert.h>

static int twice(int n) {
  int *first = alloca(sizeof(int));
  *first = n;
  return *first + *first;
}

int main(void) {
  assert(twice(2) == 5);
  return 0;
}
