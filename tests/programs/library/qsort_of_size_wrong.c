// expect: false(unreach-call)
/* The last one is not sorted. */
#include <assert.h>
#include <stdlib.h>

struct entry {
  int key;
  const char *name;
};

static int by_key(const void *a, const void *b) {
  int x = ((const struct entry *)a)->key, y = ((const struct entry *)b)->key;
  return (x > y) - (x < y);
}

static void sort(void *entries, size_t count) {
  qsort(entries, count, sizeof(struct entry), by_key);
}

int main(void) {
  struct entry entries[3] = {{3, "c"}, {1, "a"}, {2, "b"}};
  sort(entries, 2);
  assert(entries[0].key == 1 && entries[1].key == 2 && entries[2].key == 3);
  assert(entries[0].name[0] == 'a' && entries[2].name[0] == 'c');
  return 0;
}
