/* A set of integers: a sorted linked list under one read-write lock (coarse-grained locking).

   Bug switches, conditions on `key` (-D BUG_ADD is all calls, -D BUG_ADD='key == 1' some of them):
   BUG_ADD, BUG_REMOVE: the call locks only after it has searched its place.
   BUG_CONTAINS: the call does not lock. */
#include <pthread.h>
#include <stdlib.h>

#ifndef BUG_ADD
#define BUG_ADD 0
#endif
#ifndef BUG_REMOVE
#define BUG_REMOVE 0
#endif
#ifndef BUG_CONTAINS
#define BUG_CONTAINS 0
#endif

struct node {
  int key;
  struct node *next;
};

static struct node *first;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* The link to the first node whose key is not smaller. */
static struct node **place(int key) {
  struct node **link = &first;
  struct node *node = first;
  while (node && node->key < key) {
    link = &node->next;
    node = *link;
  }
  return link;
}

//@ operation key: 1..3
int set_add(int key) {
  int late = BUG_ADD;
  if (!late)
    pthread_rwlock_wrlock(&lock);
  struct node **link = place(key);
  struct node *next = *link;
  if (late)
    pthread_rwlock_wrlock(&lock);
  int added = !next || next->key != key;
  if (added) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->next = next;
    *link = node;
  }
  pthread_rwlock_unlock(&lock);
  return added;
}

/* Removed nodes are left to themselves, as with a garbage collector. */
//@ operation key: 1..3
int set_remove(int key) {
  int late = BUG_REMOVE;
  if (!late)
    pthread_rwlock_wrlock(&lock);
  struct node **link = place(key);
  struct node *node = *link;
  if (late)
    pthread_rwlock_wrlock(&lock);
  int removed = node && node->key == key;
  if (removed)
    *link = node->next;
  pthread_rwlock_unlock(&lock);
  return removed;
}

//@ operation key: 1..3
int set_contains(int key) {
  int unlocked = BUG_CONTAINS;
  if (!unlocked)
    pthread_rwlock_rdlock(&lock);
  struct node *node = *place(key);
  int found = node && node->key == key;
  if (!unlocked)
    pthread_rwlock_unlock(&lock);
  return found;
}
