// expect: true args: --property unreach-call,valid-deref
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

struct pair {
  int a;
  short b;
};

int main(void) {
  struct pair pairs[2] = {{1, 2}, {3, 4}};
  size_t done = fwrite(pairs, sizeof pairs[0], 2, stdout);
  assert(done <= 2);
  ssize_t written = write(1, pairs, sizeof pairs);
  assert(written != 0 && written <= (ssize_t)sizeof pairs);
  return 0;
}
