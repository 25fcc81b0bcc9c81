// expect: true args: --property unreach-call
// Programs that are preprocessed have the struct of glibc, and the functions of one before 2.33.
#include <assert.h>
#include <stddef.h>
#include <sys/stat.h>

_Static_assert(sizeof(struct stat) == 144 && offsetof(struct stat, st_mode) == 24, "x86-64");
_Static_assert(offsetof(struct stat, st_size) == 48 && offsetof(struct stat, st_ctim) == 104, "");

int main(void) {
  struct stat one, *other = &one;
  if (__xstat(1, "a", other) == 0 && S_ISDIR(one.st_mode))
    assert(one.st_size >= 0);
  if (fstatat(-100, "a", other, 0) == 0)
    assert(one.st_size >= 0);
  return 0;
}
