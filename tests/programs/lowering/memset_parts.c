// expect: true
#include <assert.h>
#include <string.h>

struct pair {
  int a;
  char b;
  int c;
};

struct pair pairs[3];

int main(void) {
  int number = 6;
  int cut = 0;
  int a[4] = {-1, -1, -1, -1};
  int *p = a;
  struct pair s = {-1, -1, -1};
  int n = 2;
  /* From the middle of a scalar to the end of another one. */
  memset((char *)&s + 2, 0, 3);
  assert(s.a == 0xffff && s.b == 0 && s.c == -1);
  /* To the middle of a scalar. */
  if (number)
    p = a + 1;
  memset(p, 0, 6);
  assert(a[0] == -1 && a[1] == 0 && a[2] == (int)0xffff0000 && a[3] == -1);
  /* Structs, their number known at run time only. */
  pairs[1].c = 5;
  pairs[2].c = 6;
  memset(pairs, 0, n * sizeof(struct pair));
  assert(pairs[1].c == 0 && pairs[2].c == 6);
  memcpy(pairs, pairs + n, (n - 1) * sizeof(struct pair));
  assert(pairs[0].c == 6 && pairs[1].c == 0 && cut == 0);
  return 0;
}
