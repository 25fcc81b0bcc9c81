// expect: true
#include <assert.h>
#include <string.h>

struct behind {
  char c;
  int b : 8;
};

struct before {
  int a : 8;
  char c;
};

struct apart {
  int a : 8;
  int : 0;
  int b : 4;
};

struct next {
  char a : 4;
  int b : 30;
};

struct __attribute__((packed)) packed {
  unsigned a : 5;
  char b : 4;
  short c;
};

union overlaid {
  unsigned a : 3;
  unsigned char c;
};

int main(void) {
  struct behind s = {1, -2};
  struct packed p;
  union overlaid u;
  unsigned char *bytes = (unsigned char *)&s;
  assert(sizeof(struct behind) == 4 && sizeof(struct before) == 4 && sizeof(struct apart) == 8);
  assert(sizeof(struct next) == 8 && sizeof(struct packed) == 4 && sizeof(union overlaid) == 4);
  assert(bytes[0] == 1 && bytes[1] == 0xfe && s.b == -2);
  memset(&p, 0, sizeof p);
  p.b = -1;
  bytes = (unsigned char *)&p;
  assert(bytes[0] == 0xe0 && bytes[1] == 1 && p.b == -1);
  u.c = 13;
  assert(u.a == 5);
  return 0;
}
