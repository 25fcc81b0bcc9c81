// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void) {
  char *line = 0;
  size_t size = 0;
  ssize_t length = getline(&line, &size, stdin);
  assert(length != 0 && (length < 1 || line[length] == 0));
  assert(length != 1 || line[0] == '\n'); // the last line of a file may have no end
  return 0;
}
