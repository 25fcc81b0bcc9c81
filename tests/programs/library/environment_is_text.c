// expect: false(valid-deref) args: --property valid-deref
#include <stdlib.h>

static const char *get(const char *name) { return getenv(name); }

int main(void) {
  const char *home = get("HOME");
  return home[0] == '/';
}
