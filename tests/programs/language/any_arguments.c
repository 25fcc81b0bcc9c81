// expect: true args: --property unreach-call,valid-deref --any-arguments 2,3
/* Any arguments within bounds: the array has as many as there are, and each ends. */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(1 <= argc && argc <= 3 && argv[argc] == 0 && strcmp(argv[0], "any_arguments") == 0);
  for (int i = 1; i < argc; i++)
    assert(strlen(argv[i]) <= 3);
  return 0;
}
