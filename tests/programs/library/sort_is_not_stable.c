// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

static int tens(const void *a, const void *b) { return *(const int *)a / 10 - *(const int *)b / 10; }

int main(void) {
  int numbers[3] = {25, 11, 12};
  qsort(numbers, 3, sizeof(int), tens);
  assert(numbers[2] == 25);
  assert(numbers[0] == 11); // may be 12
  return 0;
}
