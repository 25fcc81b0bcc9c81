// expect: false(unreach-call)
// What is compared is bytes: those of padding may differ.
#include <assert.h>
#include <stdatomic.h>

struct tagged {
  void *top;
  unsigned tag;
};
static _Atomic struct tagged tagged;

int main(void) {
  struct tagged old = {0, 0}, next = {&old, 1};
  assert(atomic_compare_exchange_strong(&tagged, &old, next));
  return 0;
}
