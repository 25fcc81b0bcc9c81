/* A map from small integers to positive integers: an array of slots under one lock.

   Bug switches, conditions (-D BUG_PUT is all calls, -D BUG_PUT='key == 1' some of them):
   BUG_PUT (of `key` and `value`), BUG_REMOVE (of `key`): the call locks only after its search.
   BUG_GET (of `key`): the call does not lock. */
#include <pthread.h>

#ifndef BUG_PUT
#define BUG_PUT 0
#endif
#ifndef BUG_REMOVE
#define BUG_REMOVE 0
#endif
#ifndef BUG_GET
#define BUG_GET 0
#endif

#define SLOTS 3

/* A slot is free if its key is 0, which is the key of nothing. */
static struct {
  int key, value;
} slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The index of the first slot with the key; SLOTS if there is none. */
static int slot_of(int key) {
  int i = 0;
  while (i < SLOTS && slots[i].key != key)
    i++;
  return i;
}

/* Returns the value that the key had; 0 for none, -1 if there is no slot left for it. */
//@ operation key: 1..3; value: 1..2
int map_put(int key, int value) {
  int late = BUG_PUT;
  if (!late)
    pthread_mutex_lock(&lock);
  int i = slot_of(key);
  int known = i < SLOTS;
  if (!known)
    i = slot_of(0);
  if (late)
    pthread_mutex_lock(&lock);
  int old = -1;
  if (i < SLOTS) {
    old = known ? slots[i].value : 0;
    slots[i].key = key;
    slots[i].value = value;
  }
  pthread_mutex_unlock(&lock);
  return old;
}

/* The key's value; 0 for none. */
//@ operation key: 1..3
int map_get(int key) {
  int unlocked = BUG_GET;
  if (!unlocked)
    pthread_mutex_lock(&lock);
  int i = slot_of(key);
  int value = i < SLOTS ? slots[i].value : 0;
  if (!unlocked)
    pthread_mutex_unlock(&lock);
  return value;
}

/* Returns the value that the key had; 0 for none. */
//@ operation key: 1..3
int map_remove(int key) {
  int late = BUG_REMOVE;
  if (!late)
    pthread_mutex_lock(&lock);
  int i = slot_of(key);
  if (late)
    pthread_mutex_lock(&lock);
  int old = 0;
  if (i < SLOTS) {
    old = slots[i].value;
    slots[i].key = 0;
  }
  pthread_mutex_unlock(&lock);
  return old;
}
