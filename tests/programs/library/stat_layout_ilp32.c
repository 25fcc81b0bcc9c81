// expect: true args: --property unreach-call --data-model ILP32
#include <assert.h>
#include <stddef.h>
#include <sys/stat.h>

_Static_assert(sizeof(struct stat) == 88 && offsetof(struct stat, st_size) == 44, "i386");
_Static_assert(sizeof(struct stat64) == 96 && offsetof(struct stat64, st_ino) == 88, "i386");

int main(void) {
  struct stat64 one;
  if (lstat64("a", &one) == 0)
    assert(one.st_size >= 0);
  return 0;
}
