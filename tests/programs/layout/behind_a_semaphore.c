// expect: true
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>

struct table {
  sem_t free;
  int count;
};

static int *numbers(struct table *t) { return (int *)((char *)t + sizeof(*t)); }

int main(void) {
  struct table *t = malloc(sizeof(struct table) + 2 * sizeof(int));
  sem_init(&t->free, 0, 1);
  t->count = 2;
  for (int i = 0; i < t->count; i++)
    numbers(t)[i] = i + 1;
  sem_wait(&t->free);
  assert(numbers(t)[0] == 1 && numbers(t)[1] == 2 && t->count == 2);
  assert((sem_t *)((char *)&t->free + sizeof t->free) == &t->free + 1);
  free(t);
  return 0;
}
