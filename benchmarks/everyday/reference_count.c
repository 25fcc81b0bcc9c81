/* The last one who lets go frees. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

struct shared { atomic_int users; int value; };

static void let_go(struct shared *shared) {
  if (atomic_fetch_sub(&shared->users, 1) == 1) free(shared);
}

static void *work(void *argument) {
  struct shared *shared = argument;
  int value = shared->value;
  let_go(shared);
  return value == 7 ? NULL : argument;
}

int main(void) {
  pthread_t thread;
  struct shared *shared = malloc(sizeof *shared);
  if (shared == NULL) return EXIT_FAILURE;
  atomic_init(&shared->users, 2);
  shared->value = 7;
  pthread_create(&thread, NULL, work, shared);
  let_go(shared);
  pthread_join(thread, NULL);
  return 0;
}
