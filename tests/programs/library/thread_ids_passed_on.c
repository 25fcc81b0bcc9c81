// expect: true
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct header {
  long kind;
};
struct worker {
  struct header header;
  pthread_t self;
  long result;
  char name[4];
};

#define OF(p) ((struct worker *)((char *)(p) - offsetof(struct worker, result)))

static void *work(void *argument) {
  struct worker *me = argument;
  struct header *header = argument;
  if (header->kind == 1)
    me->result = me->name[0] == 'a';
  return &me->result;
}

static void *count(void *argument) {
  long *number = argument;
  ++*number;
  return 0;
}

static long id_of(void *any, void *other) { return pthread_equal(*(pthread_t *)any, *(pthread_t *)other); }

/* Structures with ids in them are passed on as anything, and read as what they are. */
int main(void) {
  struct worker *w = calloc(2, sizeof *w);
  long number = 0;
  pthread_t counter;
  for (int i = 0; i < 2; i++) {
    w[i].header.kind = 1;
    strcpy(w[i].name, "abc");
    pthread_create(&w[i].self, 0, work, &w[i]);
  }
  pthread_create(&counter, 0, count, &number);
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(w[i].self, &result);
    assert(*(long *)result == 1 && OF(result) == &w[i]);
  }
  pthread_join(counter, 0);
  pthread_t me = pthread_self();
  assert(number == 1 && id_of(&me, &me));
  free(w);
  return 0;
}
