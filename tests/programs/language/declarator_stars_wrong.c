// expect: false(unreach-call)
#include <assert.h>

int main(void) {
  int n = 3, *p = &n;
  char a[*p];
  assert(sizeof a != 3);
  return 0;
}
