// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

static const char *get(const char *name) { return getenv(name); }

int main(void) {
  const char *one = getenv("ONE"), *two = get("TWO");
  assert((one == NULL) == (two == NULL));
  return 0;
}
