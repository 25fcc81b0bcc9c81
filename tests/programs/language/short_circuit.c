// expect: true
// ?:, comma, && and ||: what is evaluated, in which order, and the type of the result.
#include <assert.h>

static int trail;

static int note(int digit, int value) {
  trail = trail * 10 + digit;
  return value;
}

static int walked(void) {
  int t = trail;
  trail = 0;
  return t;
}

int main(void) {
  int *null = 0;
  assert(!(null && *null));
  assert(null == 0 || *null);

  assert((note(1, 0) && note(2, 1)) == 0 && walked() == 1);
  assert((note(1, 5) && note(2, 7)) == 1 && walked() == 12);
  assert((note(1, 5) || note(2, 7)) == 1 && walked() == 1);
  assert((note(1, 0) || note(2, 7)) == 1 && walked() == 12);
  assert((note(1, 1) && note(2, 0) || note(3, 1) && note(4, 0)) == 0 && walked() == 1234);
  assert((note(1, 1) || note(2, 0) && note(3, 1)) == 1 && walked() == 1);
  assert(((note(1, 1) || note(2, 0)) && note(3, 1)) == 1 && walked() == 13);
  assert(!(note(1, 0) || !note(2, 3)) == 1 && walked() == 12);
  assert((note(1, 0) ? note(2, 4) : note(3, 6)) == 6 && walked() == 13);
  assert((note(1, 1) ? note(2, 0) ? note(3, 1) : note(4, 2) : note(5, 3)) == 2 && walked() == 124);
  assert((note(1, 0), note(2, 9)) == 9 && walked() == 12);
  if (note(1, 0) && note(2, 0))
    note(3, 0);
  else if (note(4, 2) || note(5, 1))
    note(6, 0);
  assert(walked() == 146);
  while (note(1, trail < 1000) && note(2, trail < 100))
    note(3, 0);
  assert(walked() == 12312);

  /* the arms are converted to their common type, whichever is taken */
  int one = 1;
  assert((one ? -1 : 0u) > 0);
  assert(sizeof(one ? 1 : 1LL) == 8);
  long long wide = one ? -1 : 0u;
  assert(wide == 4294967295LL);
  char *text = one ? "yes" : 0;
  assert(text[0] == 'y');
  void *any = one ? (void *)&one : text;
  assert(any == &one);
  struct pair {
    int a, b;
  } x = {1, 2}, y = {3, 4};
  assert((one ? x : y).b == 2 && (one ? (one = 0, y) : x).a == 3);
  one ? (void)note(7, 0) : (void)note(8, 0);
  assert(walked() == 8);
  int i = 3;
  i = i && 2;
  assert(i == 1);
  i = (1 ? 2 : 0) ? i || note(9, 1) : 5;
  assert(i == 1 && trail == 0);
  return 0;
}
