// expect: false(unreach-call)
// Without a tag that grows, a stack that was taken apart looks as it was.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct head {
  int index, tag;
};
static _Atomic int next[3];
static _Atomic struct head top = {1, 0};
static _Atomic int owner[3];

static int pop(int tag) {
  struct head old = atomic_load(&top), new;
  do {
    if (old.index == 0)
      return 0;
    new.index = next[old.index];
    new.tag = old.tag + tag;
  } while (!atomic_compare_exchange_strong(&top, &old, new));
  return old.index;
}

static void push(int k) {
  struct head old = atomic_load(&top), new;
  do {
    next[k] = old.index;
    new.index = k;
    new.tag = old.tag;
  } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static void *work(void *p) {
  int a = pop(0), b = pop(0);
  if (b)
    assert(owner[b]++ == 0);
  if (a)
    push(a);
  return 0;
}

int main(void) {
  pthread_t thread;
  next[1] = 2;
  pthread_create(&thread, 0, work, 0);
  int a = pop(0), b = pop(0);
  if (b)
    assert(owner[b]++ == 0);
  return 0;
}
