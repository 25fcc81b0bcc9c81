// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 5;
  int count = scanf("%d", &a);
  assert(count != 1 || a != 7);
  return 0;
}
