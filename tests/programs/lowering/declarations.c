// expect: true
#include <assert.h>

int a[];
int a[5];
int b[3];
extern int b[];

int one(int x) {
  struct pair {
    char a, b;
  } p;
  struct pair q = {1, 2};
  enum choice { FIRST = 3, SECOND };
  enum choice chosen = SECOND;
  p = q;
  return x + p.b + chosen + (int)sizeof(struct pair);
}

enum wide { WIDE = 0x1ffffffffLL };
enum large { LARGE = 3000000000u };
enum negative { NEGATIVE = -1 };

int main(void) {
  enum wide wide = WIDE;
  enum large large = LARGE;
  enum negative negative = NEGATIVE;
  _Bool either;
  assert(sizeof a == 5 * sizeof(int) && sizeof b == 3 * sizeof(int));
  a[4] = 1;
  assert(one(1) == 9 && one(2) == 10);
  assert(wide == WIDE && sizeof wide == 8);
  assert(large == 3000000000u && sizeof large == 4);
  assert(negative < 0);
  assert(either == 0 || either == 1);
  return 0;
}
