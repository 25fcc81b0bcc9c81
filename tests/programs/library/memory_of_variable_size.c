// expect: true
#include <assert.h>
#include <string.h>

char a[8], b[8];

void check(size_t size) {
  memset(a, 'x', size);
  assert(a[size - 1] == 'x' && a[size] == 0);
  memcpy(b, a, size);
  assert(b[size - 1] == 'x' && b[size] == 0);
  b[0] = '1';
  b[1] = '2';
  memmove(b + 1, b, size);
  assert(b[0] == '1' && b[1] == '1' && b[2] == '2' && b[size] == 'x');
  memmove(b, b + 1, size);
  assert(b[0] == '1' && b[1] == '2');
}

int main(void) {
  for (size_t size = 3; size < 5; size++) {
    check(size);
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
  }
  return 0;
}
