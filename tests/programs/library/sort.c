// expect: true args: --property unreach-call,valid-deref
#include <assert.h>
#include <stdlib.h>

struct entry {
  const char *name;
  int key;
};

static int by_value(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b) {
  return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}

static int by_text(const void *a, const void *b) {
  return **(const char *const *)a - **(const char *const *)b;
}

int main(void) {
  int numbers[4] = {3, 1, 4, 1};
  struct entry entries[2] = {{"b", 2}, {"a", 1}};
  const char *words[2] = {"z", "y"};
  int key = 3, missing = 2, *found;
  qsort(numbers, 4, sizeof numbers[0], by_value);
  assert(numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 3 && numbers[3] == 4);
  found = bsearch(&key, numbers, 4, sizeof(int), by_value);
  assert(found == &numbers[2]);
  assert(!bsearch(&missing, numbers, 4, sizeof(int), by_value));
  assert(!bsearch(&key, numbers, 0, sizeof(int), by_value));
  qsort(entries, 2, sizeof *entries, by_key);
  assert(entries[0].key == 1 && entries[0].name[0] == 'a' && entries[1].key == 2);
  qsort(words, 2, sizeof(char *), by_text);
  assert(words[0][0] == 'y');
  return 0;
}
