// expect: true
// Initialisers: nested, designated, ranges, elided braces, overridden, rest zero, with addresses.
#include <assert.h>
#include <stddef.h>

struct point {
  int x, y, z;
};
struct box {
  struct point low, high;
  int tags[3];
  const char *name;
};

static int a[] = {1, 2, [5] = 6, 7, [1] = 20};
static int ranges[10] = {[0 ... 3] = 4, [2] = 9, 8, [7 ... 9] = -1};
static struct box boxes[2] = {{{1, 2, 3}, {4, 5}, {6}, "first"}, [1] = {.high.y = 7, .tags[1] = 8, 9, .name = "x"}};
static struct box elided = {1, 2, 3, 4, 5, 6, 7, 8, 9, "e"};
static struct point reordered = {.z = 3, .x = 1};
static struct point continued = {.y = 2, 3};
static struct box deep = {.high.y = 7, 8, 9, .low = 1, 2};
static int matrix[2][3] = {1, 2, 3, 4}, partial[3][2] = {{1}, {2, 3}}, cells[2][2] = {[1][0] = 5, 6};
static int *pointers[] = {&a[2], a + 5, &matrix[1][0], &boxes[1].tags[1], NULL};
static int **pointer_to_pointer = &pointers[1];
static int (*rows)[3] = matrix + 1;
static char *text = "abc" + 1;
static size_t size = sizeof(struct box) / sizeof(int) * 2 + (1 ? 3 : 0) - !1;
static long offset = offsetof(struct box, high.z), difference = &a[5] - &a[1];
static struct point *into = &boxes[0].high;
static struct {
  int kind;
  union {
    char c;
    int i;
  } u;
  struct point p[2];
} mixed = {1, {.i = 300}, {[1] = {.y = 4}}};
int tentative;
extern int tentative;
int tentative = 6;
int tentative;
extern int later;
static int *to_later = &later;
int later = 12;

int main(void) {
  assert(sizeof a / sizeof *a == 7 && a[0] == 1 && a[1] == 20 && a[2] == 0 && a[5] == 6 && a[6] == 7);
  assert(ranges[1] == 4 && ranges[2] == 9 && ranges[3] == 8 && ranges[4] == 0 && ranges[8] == -1);
  assert(boxes[0].low.z == 3 && boxes[0].high.y == 5 && boxes[0].high.z == 0 && boxes[0].tags[0] == 6);
  assert(boxes[1].high.y == 7 && boxes[1].low.x == 0 && boxes[1].tags[1] == 8 && boxes[1].tags[2] == 9);
  assert(boxes[0].name[0] == 'f' && boxes[1].name[0] == 'x');
  assert(elided.low.z == 3 && elided.high.x == 4 && elided.tags[2] == 9 && elided.name[0] == 'e');
  assert(reordered.x == 1 && reordered.y == 0 && reordered.z == 3 && continued.x == 0 && continued.z == 3);
  assert(deep.high.y == 7 && deep.high.z == 8 && deep.tags[0] == 9 && deep.tags[1] == 0);
  assert(deep.low.x == 1 && deep.low.y == 2 && deep.low.z == 0 && deep.high.x == 0);
  assert(matrix[0][2] == 3 && matrix[1][0] == 4 && matrix[1][2] == 0);
  assert(partial[0][1] == 0 && partial[1][1] == 3 && cells[1][1] == 6 && cells[0][0] == 0);
  assert(*pointers[0] == 0 && *pointers[1] == 6 && *pointers[2] == 4 && *pointers[3] == 8 && !pointers[4]);
  assert(**pointer_to_pointer == 6 && (*rows)[0] == 4 && *text == 'b' && into->y == 5);
  assert(difference == 4 && offset == 20 && *to_later == 12 && tentative == 6);
  assert(mixed.u.i == 300 && mixed.p[1].y == 4 && mixed.p[0].y == 0);

  /* automatic objects: the values are computed, the rest is zero */
  int n = 3;
  struct box local = {.low = {n, n + 1}, .tags = {[2] = n * n}, .low.z = n};
  assert(local.low.x == 3 && local.low.y == 4 && local.low.z == 3 && local.tags[2] == 9 && local.tags[0] == 0 && !local.name);
  struct point copied[2] = {reordered, {7, 8}};
  assert(copied[0].z == 3 && copied[1].z == 0);
  struct box from_struct = {reordered, .high = continued};
  assert(from_struct.low.z == 3 && from_struct.high.y == 2 && from_struct.tags[0] == 0);
  int copy_then_override[4] = {[0 ... 3] = n--, [2] = 50};
  assert(copy_then_override[2] == 50 && copy_then_override[3] == 3 && n == 2);
  int scalar = {4}, zeroed[3] = {}, sized[] = {[2] = 1};
  assert(scalar == 4 && zeroed[2] == 0 && sizeof sized == 12);
  static unsigned char narrow[2] = {257 & 0x1ff, -1};
  unsigned char local_narrow[2] = {(unsigned char)257, n - 3};
  assert(narrow[0] == 1 && narrow[1] == 255 && local_narrow[0] == 1 && local_narrow[1] == 255);
  return 0;
}
