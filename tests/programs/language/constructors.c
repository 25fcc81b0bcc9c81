// expect: true args: --property unreach-call --property no-data-race
// Constructors run by their numbers, then in the order of the text; destructors the other way round, after atexit.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int steps, ends;
static pthread_mutex_t lock;

__attribute__((constructor)) static void third(void) { assert(++steps == 3); }
static void fourth(void) __attribute__((constructor));
static void fourth(void) { assert(++steps == 4); }
__attribute__((constructor(102))) static void second(void) { assert(++steps == 2); }
__attribute__((__constructor__(101))) static void first(void) {
  pthread_mutex_init(&lock, 0);
  assert(++steps == 1);
}

__attribute__((destructor(101))) static void last(void) { assert(++ends == 4); }
__attribute__((destructor)) static void second_to_go(void) { assert(++ends == 3); }
__attribute__((destructor)) static void first_to_go(void) { assert(++ends == 2); }
static void handler(void) { assert(++ends == 1); }

int main(void) {
  assert(steps == 4);
  atexit(handler);
  return 0;
}
