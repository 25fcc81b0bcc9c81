// expect: true args: --property unreach-call --property valid-memsafety
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct item {
  char kind;
  long values[];
};

struct rows {
  int n;
  struct {
    short a, b[3];
  } rows[4];
};

int main(void) {
  int n = 3, k = 0;
  struct item *item = malloc(offsetof(struct item, values[n]));
  assert(offsetof(struct item, values[n]) == 8 + 3 * sizeof(long));
  for (int i = 0; i < n; i++)
    item->values[i] = i;
  assert(item->values[2] == 2);
  free(item);
  assert(offsetof(struct rows, rows[n - 1].b[k++ + 1]) == 4 + 2 * 8 + 2 + 2 && k == 1);
  static char fixed[offsetof(struct rows, rows[1].b[2])];
  assert(sizeof fixed == 4 + 8 + 2 + 4);
  return 0;
}
