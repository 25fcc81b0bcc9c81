// expect: true
// A line of one character holds no number of two digits.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char line[2];
  if (!fgets(line, sizeof line, stdin))
    return 1;
  int number = atoi(line);
  assert(0 <= number && number <= 9);
  return 0;
}
