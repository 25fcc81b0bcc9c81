// expect: false(unreach-call)
#include <assert.h>

int main(void) {
  int calls = 0, n = 2;
  int rows[3][n];
  assert(sizeof(rows[calls++]) && calls == 0);
  return 0;
}
