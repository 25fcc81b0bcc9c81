// expect: false(unreach-call) args: --malloc-may-fail
// Where it fails, the old object is still there, with its contents.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof(int));
  if (p == NULL)
    return 0;
  *p = 3;
  int *q = realloc(p, 2 * sizeof(int));
  if (q == NULL) {
    assert(*p == 3);
    assert(0);
  }
  assert(*q == 3);
  free(q);
  return 0;
}
