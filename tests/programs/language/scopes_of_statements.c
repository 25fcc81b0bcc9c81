// expect: true
// Statements of selection and iteration are blocks, and so are the statements in them (C11 6.8.4p3,
// 6.8.5p5); parameter lists and inner declarations of tags have scopes, too.
#include <assert.h>

enum { E = 10 };
struct S {
  char c;
};
static int prototype(enum { E = 3 } e, struct S { int x[9]; } *p);

static int twice_inlined(int k) {
  struct L {
    enum { P = 3, Q } e;
    struct inner {
      int z;
    } in;
  } l;
  struct inner v;
  struct later *pointer;
  struct later {
    int w;
  } object;
  pointer = &object;
  pointer->w = k;
  l.e = P;
  v.z = Q;
  return l.e + v.z + pointer->w;
}

int main(void) {
  int i, s = 0;
  for (i = 0; i < 1; i += sizeof(enum { E = 20 })) s = E;
  assert(s == 20 && E == 10);
  if (sizeof(enum { E = 30 })) assert(E == 30);
  assert(E == 10);
  if (1) (void)sizeof(enum { E = 40 });
  assert(E == 10);
  while (sizeof(enum { E = 50 })) {
    assert(E == 50);
    break;
  }
  assert(E == 10);
  switch (sizeof(struct S { int x[4]; })) {
  case 16: assert(sizeof(struct S) == 16);
  }
  assert(sizeof(struct S) == 1);
  s = (enum { E = 60 })1 + E;
  assert(s == 61 && E == 60);
  assert(twice_inlined(0) == 7 && twice_inlined(1) == 8);
  struct S;
  struct A {
    struct S *s;
  };
  struct S {
    int x[3];
  };
  assert(sizeof(*((struct A *)0)->s) == 12);
  return 0;
}
