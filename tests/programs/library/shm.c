// expect: unknown "a file is mapped into memory"
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  int shared = shm_open("/shared", O_CREAT | O_RDWR, 0600);
  assert(shared == -1 || shared == 3);
  if (shared < 0)
    return 1;
  ftruncate(shared, 4096);
  mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
  shm_unlink("/shared");
  return 0;
}
