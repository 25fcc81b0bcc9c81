// expect: unknown "arbitrary pointer" args: --property valid-deref --engine explicit
// NOTE(never-written): not all of its values are tried, so that nothing is proved.
#include <stdlib.h>

int main(void) {
  int other = 1, *result = &other;
  int **place = malloc(sizeof *place);
  if (*place == &other) result = 0;
  free(place);
  return *result;
}
