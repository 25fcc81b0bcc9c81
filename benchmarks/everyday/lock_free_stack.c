/* Two threads push onto a stack without locks; main pops it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static _Atomic(struct node *) top;

static void *push(void *argument) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) abort();
  node->value = *(int *)argument;
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &node->next, node)) {}
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int values[2] = {3, 4}, sum = 0;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, push, &values[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  struct node *node = atomic_load(&top);
  while (node != NULL) {
    struct node *next = node->next;
    sum += node->value;
    free(node);
    node = next;
  }
  assert(sum == 7);
  return 0;
}
