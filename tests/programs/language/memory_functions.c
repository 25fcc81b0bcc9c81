// expect: true
// memset, memcpy, memmove, memcmp on objects of known layout.
#include <assert.h>
#include <string.h>

struct record {
  char c;
  int i;
  struct {
    short s[3];
    int *p;
  } inner;
};

static struct record global;

int main(void) {
  int target = 3;
  struct record a = {'a', 5, {{1, 2, 3}, &target}}, b;
  memcpy(&b, &a, sizeof b);
  b.inner.s[1]++;
  assert(b.i == 5 && b.inner.s[1] == 3 && a.inner.s[1] == 2 && *b.inner.p == 3);
  memset(&b, 0, sizeof b);
  assert(b.i == 0 && b.inner.p == 0 && b.inner.s[2] == 0 && b.c == 0);
  memset(&global, 0xff, sizeof(int));
  assert(global.c == -1 && global.i == 0);
  int numbers[5] = {1, 2, 3, 4, 5};
  memmove(numbers + 1, numbers, 3 * sizeof(int));
  assert(numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 2 && numbers[3] == 3 && numbers[4] == 5);
  memmove(numbers, numbers + 2, 3 * sizeof *numbers);
  assert(numbers[0] == 2 && numbers[2] == 5 && numbers[3] == 3);
  memset(numbers, -1, sizeof numbers / 5 * 2);
  assert(numbers[0] == -1 && numbers[1] == -1 && numbers[2] == 5);
  memset(&numbers[4], 1, 4);
  assert(numbers[4] == 0x01010101);
  unsigned char bytes[8];
  assert(memset(bytes, 300, 8) == bytes && bytes[7] == 44);
  bytes[3] = 1;
  unsigned word;
  memcpy(&word, bytes, sizeof word);
  assert(word == 0x012c2c2c);
  char text[6] = "hello";
  memcpy(text + 1, "EL", 2);
  assert(strcmp(text, "hELlo") == 0 && memcmp(text, "hEL", 3) == 0 && memcmp("a", "b", 1) < 0);
  int n = 2;
  int from[3] = {7, 8, 9}, to[3] = {0};
  memcpy(to, from, n * sizeof(int));
  assert(to[1] == 8 && to[2] == 0);
  return 0;
}
