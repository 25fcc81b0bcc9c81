// expect: true args: --property no-overflow
// A number that does not fit is no overflow of the program.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char line[64];
  int a = 0, b = 0;
  if (!fgets(line, sizeof line, stdin))
    return 1;
  if (sscanf(line, "%d %d", &a, &b) != 2)
    return 1;
  return atoi(line) != a && atoll("99999999999999999999") > 3;
}
