// expect: true args: --property no-data-race --engine explicit
// NOTE(walk): nothing is read of where the last step leads.
#include <pthread.h>

struct node {
  struct node *next;
} first, second, third, *last;

void *appends(void *argument) {
  second.next = &third;
  return 0;
}

int main(void) {
  pthread_t thread;
  first.next = &second;
  struct node *p = &first;
  pthread_create(&thread, 0, appends, 0);
  for (int steps = 0; steps < 1; steps++) p = p->next;
  last = p;
  return 0;
}
