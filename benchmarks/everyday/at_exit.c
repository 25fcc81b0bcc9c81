/* What was allocated is freed by a function that runs at the end. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char *buffer;

static void clean(void) {
  free(buffer);
  buffer = NULL;
}

int main(void) {
  if (atexit(clean) != 0) return EXIT_FAILURE;
  buffer = malloc(16);
  if (buffer == NULL) return EXIT_FAILURE;
  strcpy(buffer, "text");
  assert(strlen(buffer) == 4);
  return 0;
}
