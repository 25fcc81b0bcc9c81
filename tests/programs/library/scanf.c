// expect: true
// The result is EOF or the number of objects that received something; the others stay.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 5, b = 6;
  char c = 'c';
  int count = scanf("%d%2d%c", &a, &b, &c);
  assert(count >= EOF && count <= 3);
  if (count < 1)
    assert(a == 5);
  if (count < 2)
    assert(b == 6);
  else
    assert(b >= -9 && b <= 99);
  if (count < 3)
    assert(c == 'c');
  count = getchar();
  assert(count >= EOF && count <= 255);
  return 0;
}
