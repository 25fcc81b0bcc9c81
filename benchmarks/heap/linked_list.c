/* Linked List: N threads each put ITEMS nodes at the head of one list.
   Bug: they do not enter its monitor, and may lose nodes. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

struct node {
  int value;
  struct node *next;
};

struct list {
  struct monitor monitor;
  struct node *head;
};

static void add(struct list *list, int value) {
  struct node *node = calloc(1, sizeof *node);
  node->value = value;
#ifndef BUG
  enter(&list->monitor);
#endif
  node->next = list->head;
  list->head = node;
#ifndef BUG
  leave(&list->monitor);
#endif
}

static void *build(void *argument) {
  struct list *list = argument;
  for (int i = 0; i < ITEMS; i++)
    add(list, i);
  return 0;
}

int main(void) {
  struct list *list = calloc(1, sizeof *list);
  pthread_t threads[N];
  init(&list->monitor);
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, build, list);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  int count = 0;
  for (struct node *node = list->head; node; node = node->next)
    count++;
  assert(count == N * ITEMS);
  return 0;
}
