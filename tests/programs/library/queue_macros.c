// expect: true
// <sys/queue.h>: what is inserted is found in order, at both ends and between.
#include <assert.h>
#include <stddef.h>
#include <sys/queue.h>

struct item {
  int number;
  TAILQ_ENTRY(item) tail;
  LIST_ENTRY(item) both;
  SLIST_ENTRY(item) single;
  STAILQ_ENTRY(item) queue;
};

static TAILQ_HEAD(tails, item) tails = TAILQ_HEAD_INITIALIZER(tails);
static LIST_HEAD(lists, item) lists = LIST_HEAD_INITIALIZER(lists);
static SLIST_HEAD(singles, item) singles = SLIST_HEAD_INITIALIZER(singles);
static STAILQ_HEAD(queues, item) queues = STAILQ_HEAD_INITIALIZER(queues);

int main(void) {
  struct item a = {1}, b = {2}, c = {3}, *i;
  int seen = 0;

  TAILQ_INSERT_TAIL(&tails, &b, tail);
  TAILQ_INSERT_HEAD(&tails, &a, tail);
  TAILQ_INSERT_AFTER(&tails, &b, &c, tail);
  TAILQ_REMOVE(&tails, &c, tail);
  TAILQ_INSERT_BEFORE(&a, &c, tail);
  TAILQ_REMOVE(&tails, &a, tail);
  TAILQ_INSERT_TAIL(&tails, &a, tail);
  TAILQ_FOREACH(i, &tails, tail) seen = seen * 10 + i->number;
  assert(seen == 321);

  LIST_INSERT_HEAD(&lists, &a, both);
  LIST_INSERT_AFTER(&a, &b, both);
  LIST_INSERT_BEFORE(&b, &c, both);
  LIST_REMOVE(&a, both);
  LIST_INSERT_HEAD(&lists, &a, both);
  LIST_REMOVE(&b, both);
  seen = 0;
  LIST_FOREACH(i, &lists, both) seen = seen * 10 + i->number;
  assert(seen == 13);

  SLIST_INSERT_HEAD(&singles, &a, single);
  SLIST_INSERT_AFTER(&a, &b, single);
  SLIST_INSERT_HEAD(&singles, &c, single);
  SLIST_REMOVE(&singles, &a, item, single);
  seen = 0;
  SLIST_FOREACH(i, &singles, single) seen = seen * 10 + i->number;
  assert(seen == 32);
  SLIST_REMOVE_HEAD(&singles, single);
  assert(SLIST_FIRST(&singles) == &b && !SLIST_EMPTY(&singles));

  STAILQ_INSERT_TAIL(&queues, &a, queue);
  STAILQ_REMOVE_HEAD(&queues, queue);
  STAILQ_INSERT_TAIL(&queues, &b, queue);
  STAILQ_INSERT_HEAD(&queues, &a, queue);
  STAILQ_INSERT_TAIL(&queues, &c, queue);
  seen = 0;
  STAILQ_FOREACH(i, &queues, queue) seen = seen * 10 + i->number;
  assert(seen == 123);
  return 0;
}
