// expect: true
#include <assert.h>
#include <stdlib.h>

static const char *get(const char *name) { return getenv(name); }

int main(void) {
  const char *one = getenv("ONE"), *again = getenv("ONE");
  assert((one == NULL) == (again == NULL));
  const char *two = get("TWO");
  assert((two == NULL) == (get("TWO") == NULL));
  return 0;
}
