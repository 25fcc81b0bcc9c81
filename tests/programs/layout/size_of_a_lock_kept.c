// expect: true
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>

struct pool {
  sem_t lock;
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
