// expect: false(unreach-call) args: --malloc-may-fail
// What fails is not NULL.
#define _GNU_SOURCE
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

int main(void) {
  int *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p != NULL)
    assert(p != MAP_FAILED);
  return 0;
}
