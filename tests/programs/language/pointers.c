// expect: true
// Pointers: arithmetic by the size of the target, comparisons, differences, pointers to pointers.
#include <assert.h>
#include <stddef.h>

struct three {
  int a, b, c;
};

static void redirect(int **pp, int *target) { *pp = target; }

int main(void) {
  int a[5] = {10, 11, 12, 13, 14};
  int *p = a, *end = a + 5;
  assert(end - p == 5 && p - end == -5 && p < end && end > p && p + 2 == &a[2] && &a[5] == end);
  assert((char *)end - (char *)p == 20);
  p += 2;
  assert(*p == 12 && p[1] == 13 && p[-2] == 10 && *(p - 1) == 11 && *(1 + p) == 13);
  p -= 1;
  assert(p == a + 1 && p - a == 1);
  unsigned char back = 1;
  assert(p[-back] == 10);
  unsigned minus = 1;
  p = p - minus;
  assert(p == a);
  assert(!(p == 0) && p != NULL && p);
  int sum = 0;
  for (p = a; p != end; ++p)
    sum += *p;
  assert(sum == 60);
  for (p = end; p-- > a;)
    sum -= *p;
  assert(sum == 0);

  struct three t[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  struct three *q = t;
  assert((q + 1)->b == 5 && q[2].c == 9 && (++q)->a == 4 && q++->c == 6 && q - t == 2 && (*q).a == 7);
  int *inner = &q->b;
  assert(inner[-1] == 7 && inner[1] == 9);

  int x = 1, y = 2;
  int *r = &x, **rr = &r, ***rrr = &rr;
  **rr = 5;
  redirect(rr, &y);
  ***rrr += 10;
  assert(x == 5 && y == 12 && r == &y && *rr == &y);
  const int *const_view = &x;
  x = 6;
  assert(*const_view == 6 && *&x == 6 && &*r == r && *&a[1] == 11);

  int *pointers[3] = {&x, &y, a};
  *pointers[1] = 40;
  assert(y == 40 && pointers[2][3] == 13 && **pointers == 6);
  int (*whole)[5] = &a;
  assert((*whole)[4] == 14 && sizeof *whole == 20 && (int *)(whole + 1) == end);

  void *any = &x;
  *(int *)any = 8;
  assert(x == 8 && (int *)any == &x);
  assert((void *)0 == 0 && (int *)0L == NULL && !(void *)0);
  ptrdiff_t distance = &a[1] - &a[4];
  assert(distance == -3);
  return 0;
}
