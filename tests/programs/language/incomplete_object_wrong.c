// expect: false(unreach-call)
#include <assert.h>

struct later given;
struct later {
  int a;
};
struct later given = {1};

int main(void) {
  assert(given.a == 0);
  return 0;
}
