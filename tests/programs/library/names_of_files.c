// expect: true args: --property unreach-call
// As POSIX and glibc have them: slashes at the end do not count, and the text is shortened.
#include <assert.h>
#include <libgen.h>
#include <string.h>

static int base(const char *path, const char *name) {
  char text[16];
  strcpy(text, path);
  return strcmp(basename(text), name) == 0;
}

static int folder(const char *path, const char *name) {
  char text[16];
  strcpy(text, path);
  return strcmp(dirname(text), name) == 0;
}

int main(void) {
  assert(base("/usr/lib", "lib") && base("/usr//", "usr") && base("usr", "usr"));
  assert(base("//", "/") && base("", ".") && strcmp(basename(0), ".") == 0);
  assert(folder("/usr/lib", "/usr") && folder("/usr//", "/") && folder("usr", "."));
  assert(folder("a//b/", "a") && folder("//a", "//") && folder("/", "/") && folder("..", "."));
  return 0;
}
