// expect: unknown "accessed outside its lifetime"
// Memory of alloca ends where the function returns.
#include <alloca.h>
#include <assert.h>

static int *kept(void) {
  int *p = alloca(sizeof(int));
  *p = 1;
  return p;
}

int main(void) {
  int *p = kept();
  assert(*p == 1);
  return 0;
}
