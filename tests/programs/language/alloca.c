// expect: true
// Memory of alloca lives until the function returns, however often it is called.
#include <alloca.h>
#include <assert.h>

static int sum(int n) {
  int *first = alloca(sizeof(int)), *second = 0;
  *first = n;
  if (n > 1) {
    second = alloca(sizeof(int));
    *second = n;
  }
  return *first + (second ? *second : 0);
}

int main(void) {
  int *own = alloca(sizeof(int));
  *own = sum(1) + sum(2);
  assert(*own == 5);
  return 0;
}
