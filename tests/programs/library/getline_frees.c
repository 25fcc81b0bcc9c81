// expect: false(valid-memcleanup) args: --property valid-memcleanup --engine hunt
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = 0;
  size_t size = 0;
  if (getline(&line, &size, stdin) != -1) // the buffer is there at the end of the file, too
    free(line);
  return 0;
}
