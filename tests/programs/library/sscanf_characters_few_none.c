// expect: false(unreach-call)
// Fewer characters than %5c asks for may be none.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[8], read[8];
  int n = 0;
  strcpy(text, "7 ab");
  assert(sscanf(text, "%d %5c", &n, read) == 2);
  return 0;
}
