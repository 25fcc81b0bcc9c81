// expect: true
// Structs: nested, by value, by pointer, assignment, in functions, anonymous, self-referring.
#include <assert.h>
#include <stddef.h>

struct point {
  int x, y;
};
typedef struct line {
  struct point from, to;
  char name[4];
  struct {
    short width;
    int colour;
  } style;
  union {
    int number;
    char letter;
  };
} line;
struct node {
  int value;
  struct node *next;
};

static struct point moved(struct point p, int by) {
  p.x += by;
  return p;
}
static int length(line l) { return l.to.x - l.from.x; }
static line make(int a) {
  line l = {{a, a}, {a + 3, a}, "ab"};
  l.style.colour = 7;
  l.number = 'z';
  return l;
}
static void clear(struct point *p) { *p = (struct point){0}; }
static struct node list[3] = {{1, list + 1}, {2, list + 2}, {3, 0}};
static int sum(const struct node *n) { return n ? n->value + sum(n->next) : 0; }
static int calls;
static struct point counted(void) {
  calls++;
  return (struct point){calls, calls * 2};
}

int main(void) {
  struct point p = {1, 2}, q;
  q = moved(p, 5);
  assert(p.x == 1 && q.x == 6 && q.y == 2);
  assert(moved(moved(p, 1), 1).x == 3 && moved(p, 3).y == 2);
  q = p;
  q.y = 9;
  assert(p.y == 2 && q.x == 1);
  line a = make(4), b = a;
  b.from.x = 0;
  assert(length(a) == 3 && length(b) == 7 && a.from.x == 4);
  assert(b.name[1] == 'b' && b.name[2] == 0 && b.style.colour == 7 && b.style.width == 0 && b.letter == 'z');
  a.to = p;
  struct point *inner = &a.to;
  inner->y = 40;
  assert(a.to.y == 40 && p.y == 2 && a.to.x == 1);
  a.from = a.to = q;
  assert(a.from.y == 9 && a.to.y == 9 && (a.from = p).y == 2);
  clear(&a.from);
  assert(a.from.x == 0 && a.from.y == 0 && a.to.x == 1);
  assert(sum(list) == 6 && list[0].next->next->value == 3 && sum(&list[1]) == 5);
  struct node *head = 0;
  struct node nodes[3];
  for (int i = 0; i < 3; i++) {
    nodes[i] = (struct node){i * 10, head};
    head = &nodes[i];
  }
  assert(head->value == 20 && head->next->value == 10 && head->next->next->next == NULL && sum(head) == 30);
  struct point points[2] = {{1, 1}, {2, 2}};
  int i = 0;
  points[i++] = points[1];
  assert(i == 1 && points[0].y == 2);
  points[1] = counted();
  assert(calls == 1 && points[1].y == 2 && counted().y == 4 && calls == 2);
  struct point *both[2] = {&points[0], &p};
  *both[1] = *both[0];
  assert(p.x == 2 && p.y == 2);
  assert(sizeof(struct { char c; int i; }) == 8 && offsetof(line, style.colour) == 24);
  assert(sizeof(struct { char c; short s; char d; }) == 6 && sizeof(line) == 32);
  struct wrapped {
    int values[3];
  } w = {{1, 2, 3}}, v = w;
  v.values[1] = 8;
  w = (w.values[0] = 5, v);
  assert(w.values[0] == 1 && w.values[1] == 8);
  return 0;
}
