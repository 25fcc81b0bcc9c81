// expect: true
// An attribute list between `struct` and the tag does not hide the definition from `#pragma pack`.
#include <assert.h>

#pragma pack(1)
struct [[maybe_unused]] packed {
  char c;
  int x;
} object;
#pragma pack()

int main(void) {
  assert(sizeof(struct packed) == 5 && object.x == 0);
  return 0;
}
