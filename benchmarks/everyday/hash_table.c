/* A hash table with a lock for each bucket. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

#define BUCKETS 2

struct entry { const char *key; int value; struct entry *next; };
static struct { pthread_mutex_t lock; struct entry *first; } table[BUCKETS];
static struct entry entries[2] = {{"apple", 1, NULL}, {"pear", 2, NULL}};

static unsigned hash(const char *text) {
  uint32_t value = 5381;
  while (*text != '\0') value = value * 33 + (unsigned char)*text++;
  return value % BUCKETS;
}

static void *put(void *argument) {
  struct entry *entry = argument;
  unsigned bucket = hash(entry->key);
  pthread_mutex_lock(&table[bucket].lock);
  entry->next = table[bucket].first;
  table[bucket].first = entry;
  pthread_mutex_unlock(&table[bucket].lock);
  return NULL;
}

static int get(const char *key) {
  int value = -1;
  unsigned bucket = hash(key);
  pthread_mutex_lock(&table[bucket].lock);
  for (struct entry *e = table[bucket].first; e != NULL; e = e->next) {
    if (strcmp(e->key, key) == 0) value = e->value;
  }
  pthread_mutex_unlock(&table[bucket].lock);
  return value;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&table[i].lock, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, put, &entries[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(get("apple") == 1 && get("pear") == 2 && get("fig") == -1);
  return 0;
}
