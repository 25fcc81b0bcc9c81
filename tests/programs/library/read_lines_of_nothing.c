// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[3] = "ab";
  FILE *file = fopen("lines.txt", "r");
  assert(file); // it may not be there
  return 0;
}
