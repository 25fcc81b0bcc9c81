// expect: false(valid-deref) args: --property valid-deref
// The name of a file that is removed is read.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *path = strdup("a");
  if (path == NULL)
    return 0;
  free(path);
  unlink(path);
  return 0;
}
