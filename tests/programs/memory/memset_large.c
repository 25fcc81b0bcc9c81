// expect: true args: --property unreach-call --property valid-memsafety
#include <string.h>
#include <assert.h>
struct in { char c; double d[100]; };
struct big { char name; int v[42][100]; struct in in[2]; unsigned f : 3, g : 5; short s; };
static struct big a, b;
int main(void) {
  int n = 2;
  static struct big both[2];
  memset(&a, 1, sizeof a);
  assert(a.v[41][99] == 0x01010101 && a.f == 1 && a.s == 0x101 && a.in[1].c == 1);
  b.v[3][4] = 5; b.in[1].d[99] = 2.5; b.g = 9; b.s = 7;
  memcpy(&a, &b, sizeof a);
  assert(a.v[3][4] == 5 && a.in[1].d[99] == 2.5 && a.g == 9 && a.s == 7 && a.f == 0 && a.v[41][99] == 0);
  both[1].v[0][1] = 4;
  memset(both, 0, n * sizeof(struct big));
  assert(both[1].v[0][1] == 0);
  return 0; }
