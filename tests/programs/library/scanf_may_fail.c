// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 5;
  scanf("%d", &a);
  assert(a != 5);
  return 0;
}
