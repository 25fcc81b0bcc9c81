// expect: true
// Loops: break and continue of the innermost, do-while, for with parts left out, scopes.
#include <assert.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    if (i == 3)
      continue;
    if (i == 6)
      break;
    sum += i;
  }
  assert(sum == 0 + 1 + 2 + 4 + 5);

  /* continue in do-while goes to the condition */
  int n = 0, rounds = 0;
  do {
    rounds++;
    if (n < 3)
      continue;
    n += 10;
  } while (n++ < 5);
  assert(n == 14 && rounds == 4);
  do
    n = 1;
  while (0);
  assert(n == 1);

  /* continue in for performs the step */
  int steps = 0;
  for (n = 0; n < 5; n++, steps += 2)
    if (n & 1)
      continue;
  assert(n == 5 && steps == 10);

  n = 0;
  for (;;)
    if (++n == 4)
      break;
  assert(n == 4);

  int found = 0;
  for (int i = 0; i < 3; i++) {
    int j = 0;
    while (1) {
      if (j == i)
        break;
      j++;
      if (j == 1)
        continue;
      found += 100;
    }
    found += j;
  }
  assert(found == 103);

  for (int n = 0, m = 9; n < m; n++, m--)
    sum = n * 10 + m;
  assert(sum == 45 && n == 4);
  while (n-- > 0)
    ;
  assert(n == -1);
  for (unsigned i = 3; i < 4; i--)
    n++;
  assert(n == 3);

  /* every round has its own variable; its initialiser runs each time */
  for (int i = 0; i < 3; i++) {
    int twice = i;
    twice *= 2;
    int zeroed[3] = {0};
    zeroed[i]++;
    assert(twice == 2 * i && zeroed[0] + zeroed[1] + zeroed[2] == 1);
  }
  return 0;
}
