// expect: unsupported "size of"
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
  size_t size = sizeof(sem_t);
  size -= 8;
  free(malloc(size));
  return 0;
}
