// expect: unsupported "qsort of elements whose type is not known"
#include <stdlib.h>

static int same(const void *a, const void *b) { return 0; }

static void sort(void *base, size_t count, size_t size) { qsort(base, count, size, same); }

int main(void) {
  int numbers[2] = {2, 1};
  sort(numbers, 2, sizeof(int));
  return 0;
}
