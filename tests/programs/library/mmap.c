// expect: true args: --property unreach-call --property valid-memsafety
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

struct ring {
  int head, tail, items[4];
};

int main(void) {
  struct ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (ring == MAP_FAILED)
    return 1;
  assert(ring->tail == 0 && ring->items[3] == 0);
  ring->items[3] = 4;
  assert(ring->items[3] == 4);
  assert(mmap(NULL, 0, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  assert(errno == EINVAL);
  munmap(ring, sizeof *ring);
  return 0;
}
