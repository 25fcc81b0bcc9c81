// expect: false(no-deadlock) args: --property no-deadlock
// cause: not initialised
// The lock of what is allocated was forgotten.
#include <pthread.h>
#include <stdlib.h>

struct entry {
  int uses;
  pthread_mutex_t lock;
};

static void *user(void *arg) {
  struct entry *entry = arg;
  pthread_mutex_lock(&entry->lock);  // <-
  entry->uses++;
  pthread_mutex_unlock(&entry->lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  struct entry *entry = malloc(sizeof *entry);
  entry->uses = 0;
  pthread_create(&a, 0, user, entry);
  pthread_create(&b, 0, user, entry);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(entry);
  return 0;
}
