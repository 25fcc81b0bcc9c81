// expect: false(valid-deref) args: --property valid-deref
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static int *shared;

static void *writes(void *p) {
  shared[1] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  shared = mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return 1;
  pthread_create(&thread, 0, writes, 0);
  munmap(shared, 2 * sizeof *shared);
  pthread_join(thread, 0);
  return 0;
}
