// expect: unsupported "size of"
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  size_t size = sizeof(pthread_mutex_t);
  void *memory = malloc(size);
  free(memory);
  return size != 40;
}
