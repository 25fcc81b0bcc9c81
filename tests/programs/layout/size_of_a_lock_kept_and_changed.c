// expect: unsupported "size of"
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  size_t size = sizeof(pthread_mutex_t);
  size -= 8;
  free(malloc(size));
  return 0;
}
