// expect: false(valid-deref) args: --property valid-deref
/* The second node is allocated too small. */
#include <assert.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static void *allocate(size_t size) {
  void *result;
  void *memory = malloc(size);
  if (!memory)
    abort();
  result = memory;
  return result;
}

static struct node *make(int value) {
  void *memory = allocate(8UL);
  struct node *node = memory;
  node->next = NULL;
  node->value = value;
  return node;
}

int main(void) {
  struct node *list = allocate(sizeof *list), *other = make(2);
  void *kept;
  kept = allocate(2 * sizeof(void *));
  list->next = other;
  list->value = 1;
  *(void **)kept = list;
  assert(list->next->value == 2 && other->next == NULL && *(void **)kept == list);
  free(kept);
  free(other);
  free(list);
  return 0;
}
