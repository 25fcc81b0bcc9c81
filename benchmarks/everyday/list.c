/* A sorted list under one lock. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdbool.h>

struct node { int key; struct node *next; };

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool insert(int key) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL) return false;
  node->key = key;
  pthread_mutex_lock(&lock);
  struct node **place = &head;
  while (*place != NULL && (*place)->key < key) place = &(*place)->next;
  node->next = *place;
  *place = node;
  pthread_mutex_unlock(&lock);
  return true;
}

static void *work(void *argument) {
  insert(*(int *)argument);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int keys[2] = {2, 1};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &keys[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(head->key == 1 && head->next->key == 2);
  while (head != NULL) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
