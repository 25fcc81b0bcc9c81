// expect: false(unreach-call)
// Functions of the library that are lowered at their calls can be called through pointers.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operations {
  void *(*zeroed)(size_t, size_t);
  void *(*set)(void *, int, size_t);
  void *(*copy)(void *, const void *, size_t);
  int (*put)(int);
};

static void each(struct operations *o) {
  int x = 5, y = 6, *p = o->zeroed(1, sizeof(int));
  assert(*p == 0);
  o->copy(&x, &y, sizeof x);
  assert(x == 5);
  o->set(&x, 0, sizeof x);
  assert(x == 0);
  int r = o->put('a');
  assert(r == 'a' || r == -1);
}

int main(void) {
  struct operations o = {calloc, memset, memcpy, putchar};
  each(&o);
  return 0;
}
