// expect: false(unreach-call) args: --property unreach-call --undefined-functions havoc
/* Each call returns any values, also in a loop. */
#include <assert.h>

struct pair {
  int first;
  unsigned char second;
};
struct pair taken(int from);

int main(void) {
  int last = 0;
  for (int i = 0; i < 2; i++) {
    struct pair one = taken(i);
    assert(i == 0 || one.first == last || one.second != 3);
    last = one.first;
  }
  return 0;
}
