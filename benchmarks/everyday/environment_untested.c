/* Not tested whether it is there: the number of workers comes from the environment. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *text = getenv("WORKERS");
  long workers = 2;
  {
    char *end;
    workers = strtol(text, &end, 10);
    if (end == text || *end != '\0' || workers < 1 || workers > 8) workers = 2;
    printf("%zu characters\n", strlen(text));
  }
  assert(workers >= 1 && workers <= 8);
  return 0;
}
