// expect: false(unreach-call)
// One of the jumps passes an assignment.
#include <assert.h>

int main(int argc, char **argv) {
  void *labels[] = {&&first, &&second};
  int n = 1;
  goto *labels[argc % 2];
first:
  n = 2;
second:
  assert(n == 2);
  return 0;
}
