// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct key {
  pthread_t who;
  char name[4];
};

static unsigned sum(struct key *k) {
  char *bytes = (char *)k;
  unsigned h = 0;
  for (size_t i = 0; i < sizeof *k; i++)
    h += bytes[i];
  return h;
}

int main(void) {
  struct key k;
  memset((char *)&k, 0, sizeof k);
  k.who = pthread_self();
  assert(sum(&k) == 1);
  return 0;
}
