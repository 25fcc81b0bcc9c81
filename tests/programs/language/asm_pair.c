// expect: true args: --property unreach-call,no-data-race
/* Two words are compared and exchanged in one step. */
#include <assert.h>
#include <pthread.h>

struct top {
  unsigned long number;
  unsigned long changes;
} top __attribute__((aligned(16)));

static _Bool exchange(struct top *at, struct top *expected, struct top desired) {
  _Bool done;
  __asm__ volatile("lock cmpxchg16b %1\n\tsetz %0"
                   : "=q"(done), "+m"(*at), "+d"(expected->changes), "+a"(expected->number)
                   : "c"(desired.changes), "b"(desired.number)
                   : "cc", "memory");
  return done;
}

static void *add(void *unused) {
  struct top seen = {0, 0};
  while (!exchange(&top, &seen, (struct top){seen.number + 2, seen.changes + 1}))
    ;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, 0, add, 0);
  add(0);
  pthread_join(id, 0);
  assert(top.number == 4 && top.changes == 2);
  return 0;
}
