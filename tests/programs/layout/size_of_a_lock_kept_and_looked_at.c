// expect: unsupported "size of"
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
  size_t size = sizeof(sem_t);
  void *memory = malloc(size);
  free(memory);
  return size != 40;
}
