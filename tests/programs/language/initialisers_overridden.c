// expect: true
// Later initialisers override earlier ones, which are then not evaluated: whole parts, members of unions.
#include <assert.h>

struct point { int x, y; char name[4]; };
union any { int a; unsigned char bytes[4]; long long all; char c; };
struct holder { union any u; int k; };

static int calls;
static int call(int x) {
  calls += 1 << x;
  return x;
}

static struct point points[3] = {[0].y = 127, {1, 2}, [2].x = 5, 6, [0] = {.x = -7}};
static struct holder other_member = {.u.all = -1, .u.c = 1};
static struct holder braced = {.u = {.all = -1}, .u.c = 1};
static struct holder same_member = {.u.bytes[0] = 1, .u.bytes[1] = 2};
static struct point part = {.name = "abc", .name[1] = 'X'};
static struct point whole = {.name[3] = 'q', .name = "a"};
static int tentative[], completed[];
static int completed[3];
extern int declared[5];
int declared[];
int none[];
int none[0];

int main(void) {
  assert(points[0].x == -7 && points[0].y == 0 && points[1].y == 0 && points[2].y == 6);
  assert(other_member.u.all == 1 && braced.u.all == 1 && same_member.u.a == 0x201);
  assert(part.name[0] == 'a' && part.name[1] == 'X' && part.name[2] == 'c');
  assert(whole.name[0] == 'a' && whole.name[3] == 0);
  int a[3] = {[0] = call(1), [0] = call(2), [1] = call(3), [2] = call(4)};
  assert(calls == (1 << 2 | 1 << 3 | 1 << 4) && a[0] == 2 && a[2] == 4);
  calls = 0;
  struct point local[2] = {{call(1), call(2)}, [0] = {.y = call(3)}};
  assert(calls == 1 << 3 && local[0].x == 0 && local[0].y == 3);
  struct holder l = {.u.all = -1, .u.c = 1};
  assert(l.u.all == 1);
  assert(sizeof completed == 12 && sizeof declared == 20 && sizeof none == 0);
  assert(sizeof(1 ? 'a' : 1.0) == 8 && sizeof(0 ? 1.0f : 1) == 4);
  tentative[0] = 1;
  return 0;
}
