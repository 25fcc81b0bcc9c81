// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

static int tens(const void *a, const void *b) { return *(const int *)a / 10 - *(const int *)b / 10; }

int main(void) {
  int numbers[3] = {11, 12, 13}, key = 15;
  int *found = bsearch(&key, numbers, 3, sizeof(int), tens);
  assert(found);
  assert(*found != 11);
  return 0;
}
