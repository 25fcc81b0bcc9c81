// expect: true args: --property unreach-call
// An offset is a constant expression also as the first operand of && and ||.
#include <assert.h>
#include <stddef.h>

struct record {
  long key;
  int values[3];
};
_Static_assert(offsetof(struct record, values) == 8 && offsetof(struct record, values[1]) == 12, "");
_Static_assert(offsetof(struct record, values) == 9 || !offsetof(struct record, key), "");
static int sizes[offsetof(struct record, key) || offsetof(struct record, values[2]) == 16 ? 2 : 1];

int main(int argc, char **argv) {
  int i = argc > 1;
  assert(sizeof sizes == 8);
  assert(offsetof(struct record, values[i]) && i + 1);
  return 0;
}
