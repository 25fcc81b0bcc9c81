/* A map from integers to positive integers: a hash table of lists with a lock for each bucket.

   Bug switches, conditions (-D BUG_PUT is all calls, -D BUG_PUT='key == 1' some of them):
   BUG_PUT (of `key` and `value`), BUG_REMOVE (of `key`): the call locks only after its search.
   BUG_GET (of `key`): the call does not lock. */
#include <pthread.h>
#include <stdlib.h>

#ifndef BUG_PUT
#define BUG_PUT 0
#endif
#ifndef BUG_REMOVE
#define BUG_REMOVE 0
#endif
#ifndef BUG_GET
#define BUG_GET 0
#endif

#define BUCKETS 2

struct entry {
  int key, value;
  struct entry *next;
};

struct bucket {
  pthread_mutex_t lock;
  struct entry *first;
};

static struct bucket buckets[BUCKETS] = {{PTHREAD_MUTEX_INITIALIZER, 0},
                                         {PTHREAD_MUTEX_INITIALIZER, 0}};

static struct bucket *bucket_of(int key) { return &buckets[key % BUCKETS]; }

/* The link to the key's entry; if it has none, the link at the end. */
static struct entry **place(struct bucket *bucket, int key) {
  struct entry **link = &bucket->first;
  struct entry *entry = *link;
  while (entry && entry->key != key) {
    link = &entry->next;
    entry = *link;
  }
  return link;
}

/* Returns the value that the key had; 0 for none. */
//@ operation key: 1..3; value: 1..2
int map_put(int key, int value) {
  struct bucket *bucket = bucket_of(key);
  int late = BUG_PUT;
  if (!late)
    pthread_mutex_lock(&bucket->lock);
  struct entry **link = place(bucket, key);
  struct entry *entry = *link;
  if (late)
    pthread_mutex_lock(&bucket->lock);
  int old = 0;
  if (entry) {
    old = entry->value;
    entry->value = value;
  } else {
    entry = calloc(1, sizeof *entry);
    entry->key = key;
    entry->value = value;
    *link = entry;
  }
  pthread_mutex_unlock(&bucket->lock);
  return old;
}

/* The key's value; 0 for none. */
//@ operation key: 1..3
int map_get(int key) {
  struct bucket *bucket = bucket_of(key);
  int unlocked = BUG_GET;
  if (!unlocked)
    pthread_mutex_lock(&bucket->lock);
  struct entry *entry = *place(bucket, key);
  int value = entry ? entry->value : 0;
  if (!unlocked)
    pthread_mutex_unlock(&bucket->lock);
  return value;
}

/* Returns the value that the key had; 0 for none. The entry is left to itself. */
//@ operation key: 1..3
int map_remove(int key) {
  struct bucket *bucket = bucket_of(key);
  int late = BUG_REMOVE;
  if (!late)
    pthread_mutex_lock(&bucket->lock);
  struct entry **link = place(bucket, key);
  struct entry *entry = *link;
  if (late)
    pthread_mutex_lock(&bucket->lock);
  int old = 0;
  if (entry) {
    old = entry->value;
    *link = entry->next;
  }
  pthread_mutex_unlock(&bucket->lock);
  return old;
}
