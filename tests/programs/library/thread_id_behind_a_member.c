// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct key {
  int kind;
  pthread_t who;
};
struct number {
  long kind;
  unsigned long value;
};

static unsigned long value(void *any) {
  struct number *n = any;
  return n->value;
}

int main(void) {
  struct key *k = malloc(sizeof *k);
  k->kind = 0;
  k->who = pthread_self();
  assert(value(k) == 1);
  free(k);
  return 0;
}
