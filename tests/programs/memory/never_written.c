// expect: false(valid-deref) args: --property valid-deref
// NOTE(never-written): the last node of the list has no value in `next`.
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
} *list;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *adds(void *argument) {
  struct node *mine = malloc(sizeof *mine);
  mine->value = 1;
  pthread_mutex_lock(&mutex);
  if (list) mine->next = list;
  list = mine;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, adds, 0);
  pthread_create(&second, 0, adds, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  int sum = 0;
  for (struct node *p = list; p; p = p->next) sum += p->value;
  return sum;
}
