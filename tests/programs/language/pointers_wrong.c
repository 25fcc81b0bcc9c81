// expect: false(unreach-call)
// A difference of pointers counts elements; `*p++` moves the pointer and reads where it was.
#include <assert.h>

int main(void) {
  int a[4] = {10, 20, 30, 40};
  int *p = a + 1;
  assert(*p++ == 20 && *p == 30);
  assert(p - a == 8);
  return 0;
}
