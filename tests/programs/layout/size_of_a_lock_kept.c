// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pool {
  pthread_mutex_t lock;
  int workers[];
};

int main(void) {
  size_t count = 3;
  const size_t size = sizeof(struct pool) + count * sizeof(int);
  struct pool *pool = calloc(1, size);
  assert(pool->workers[2] == 0);
  free(pool);
  return 0;
}
