// expect: false(unreach-call)
// A line may hold these numbers.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int number(void) {
  char line[32];
  return fgets(line, sizeof line, stdin) ? atoi(line) : 0;
}

int main(void) {
  char line[64];
  int a;
  long b;
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "n=%d,%ld", &a, &b) == 2)
      assert(a != 7 || b != 12 || number() != -2147483647 - 1);
  }
  return 0;
}
