/* A set of integers: a sorted linked list with a lock in each node (fine-grained, optimistic).

   Updates search without locks, lock the two nodes at the place, and check that these are still in
   the list and neighbours; else they begin again. set_contains never locks and never waits.
   After [LazyList05].
   Removed nodes are left to themselves, as with a garbage collector.

   Bug switches, conditions on `key` (-D BUG_ADD is all calls, -D BUG_ADD='key == 1' some of them):
   BUG_ADD, BUG_REMOVE: the call locks only after it has checked. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef BUG_ADD
#define BUG_ADD 0
#endif
#ifndef BUG_REMOVE
#define BUG_REMOVE 0
#endif

struct node {
  int key;
  int removed;
  struct node *next;
  pthread_mutex_t lock;
};

static struct node last = {INT_MAX, 0, 0, PTHREAD_MUTEX_INITIALIZER};
static struct node first = {INT_MIN, 0, &last, PTHREAD_MUTEX_INITIALIZER};

/* Two neighbours between which a key belongs. */
struct place {
  struct node *before, *at;
};

static struct place search(int key) {
  struct place place = {&first, first.next};
  while (place.at->key < key) {
    place.before = place.at;
    place.at = place.at->next;
  }
  return place;
}

static void lock(struct place place) {
  pthread_mutex_lock(&place.before->lock);
  pthread_mutex_lock(&place.at->lock);
}

static void unlock(struct place place) {
  pthread_mutex_unlock(&place.at->lock);
  pthread_mutex_unlock(&place.before->lock);
}

static int valid(struct place place) {
  return !place.before->removed && !place.at->removed && place.before->next == place.at;
}

/* The place of a key, checked and locked; if `late`, checked and then locked. */
static struct place locked(int key, int late) {
  for (;;) {
    struct place place = search(key);
    if (late) {
      if (valid(place)) {
        lock(place);
        return place;
      }
    } else {
      lock(place);
      if (valid(place))
        return place;
      unlock(place);
    }
  }
}

//@ operation key: 1..3
int set_add(int key) {
  struct place place = locked(key, BUG_ADD);
  int added = place.at->key != key;
  if (added) {
    struct node *node = calloc(1, sizeof *node);
    node->key = key;
    node->next = place.at;
    place.before->next = node;
  }
  unlock(place);
  return added;
}

//@ operation key: 1..3
int set_remove(int key) {
  struct place place = locked(key, BUG_REMOVE);
  int removed = place.at->key == key;
  if (removed) {
    place.at->removed = 1;
    place.before->next = place.at->next;
  }
  unlock(place);
  return removed;
}

//@ operation key: 1..3
int set_contains(int key) {
  struct node *node = search(key).at;
  return node->key == key && !node->removed;
}
