// expect: false(unreach-call)
// The address of a local variable gets to the other thread through the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
  int *content;
};

void *changes(void *argument) {
  struct box *box = argument;
  *box->content = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  int local = 0;
  struct box *box = malloc(sizeof *box);
  box->content = &local;
  pthread_create(&thread, 0, changes, box);
  int before = local;
  int after = local;
  assert(before == after);
  pthread_join(thread, 0);
  return 0;
}
