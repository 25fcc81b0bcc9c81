// expect: true
// Compound literals: objects of their own, by value, by address, in loops, static at file scope.
#include <assert.h>

struct point {
  int x, y;
};
static struct point *global = &(struct point){3, 4};
static int *numbers = (int[]){5, 6, 7};

static int area(struct point p) { return p.x * p.y; }
static int sum(const int *a, int n) {
  int s = 0;
  while (n-- > 0)
    s += a[n];
  return s;
}

int main(void) {
  assert(global->y == 4 && numbers[2] == 7);
  global->x++;
  assert(global->x == 4);
  assert(area((struct point){2, 3}) == 6 && area((struct point){.y = 5}) == 0);
  assert(sum((int[]){1, 2, 3}, 3) == 6 && sum((int[4]){[3] = 9}, 4) == 9);
  assert((int){7} == 7 && (unsigned char){255} + 1 == 256 && (sizeof((int[]){1, 2}) == 8));
  int *p = &(int){1};
  int *q = &(int){1};
  *p = 2;
  assert(*q == 1 && p != q);
  (*&(int){5})++;
  int last = 0;
  for (int i = 0; i < 3; i++) {
    struct point *fresh = &(struct point){i};
    assert(fresh->y == 0);
    fresh->y = 5;
    last += fresh->x;
  }
  assert(last == 3);
  struct point a;
  a = (struct point){a.x = 1, 2};
  assert(a.x == 1 && a.y == 2);
  a = (struct point){a.y, a.x};
  assert(a.x == 2 && a.y == 1);
  char *s = (char[]){"abc"};
  s[1] = 'x';
  assert(s[0] == 'a' && s[1] == 'x');
  assert(((struct point){8, 9}).y == 9);
  return 0;
}
