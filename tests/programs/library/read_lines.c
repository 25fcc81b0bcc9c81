// expect: true args: --property unreach-call,valid-deref
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[3] = "ab";
  FILE *file = fopen("lines.txt", "r");
  if (!file) {
    perror("lines.txt");
    return 1;
  }
  if (fgets(line, sizeof line, file))
    assert(strlen(line) < sizeof line);
  fclose(file);
  return 0;
}
