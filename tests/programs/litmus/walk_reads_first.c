// expect: false(unreach-call)
// NOTE(walk): a step of a list, p := *p, reads where p pointed before, not where it points then.
#include <assert.h>
#include <pthread.h>

struct node {
  struct node *next;
} first, second, third;

void *inserts(void *argument) {
  first.next = &third;
  return 0;
}

int main(void) {
  pthread_t thread;
  first.next = &second;
  struct node *p = &first;
  pthread_create(&thread, 0, inserts, 0);
  for (int steps = 0; steps < 1; steps++) p = p->next;
  assert(p != &third);
  return 0;
}
