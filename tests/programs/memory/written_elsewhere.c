// expect: unknown "arbitrary pointer" args: --property valid-deref
// NOTE(never-written): the arguments of main point to texts, wherever they are kept.
#include <stdlib.h>

char **words;

int main(int count, char **arguments) {
  char *copy = malloc(1);
  words = arguments;
  *copy = count > 1 ? words[1][0] : 0;
  free(copy);
  return 0;
}
