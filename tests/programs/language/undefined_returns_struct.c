// expect: true args: --property unreach-call --undefined-functions havoc
/* A struct that a function returns which is defined nowhere keeps what it has. */
#include <assert.h>

struct pair {
  int first;
  unsigned char second;
};
struct pair taken(int from);

int main(void) {
  struct pair one = taken(1), other = one;
  assert(one.first == other.first && one.second == other.second && one.second < 256);
  return 0;
}
