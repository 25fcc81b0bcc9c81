// expect: true
// Names that are types outside: members, labels, parameters, variables in their own declaration.
#include <assert.h>

typedef char T;
typedef int A, B[sizeof(A)];
static T(y);
static T(w)[3];

struct bits {
  unsigned T : 3;
  T U : 2;
  T : 0;
};

static int called(int (*T)(int), int x) { return (T)(x); }
static int twice(int x) { return x * 2; }
static int minus(int T, int U) { return (T)-U; }
static int (*returned(int T))(void) { return (T)-1 ? 0 : 0; }
static int of_enum(enum { LOCAL = 7, OTHER } e) { return LOCAL + e + OTHER; }

int main(void) {
  assert(sizeof(B) == 16 && sizeof(w) == 3 && sizeof(y) == 1);
  struct bits b = {.T = 9 & 7, .U = 1};
  assert(b.T == 1);
  assert(called(twice, 4) == 8 && minus(5, 2) == 3 && !returned(1));
  assert(of_enum(1) == 16);
  {
    int T = sizeof(T), x = (T)-1;
    assert(T == 4 && x == 3);
  }
  {
    int *T, size = sizeof(T);
    assert(size == sizeof(int *));
  }
  {
    typedef int T, X[sizeof(T)];
    assert(sizeof(X) == 16);
  }
  for (int T = 3, x = (T)-1;;) {
    assert(x == 2);
    break;
  }
  {
    enum { T = 5 };
    assert((T)-1 == 4);
    goto T;
  T:;
  }
  return (T)0;
}
