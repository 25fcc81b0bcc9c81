/* Two threads push and pop on a stack without locks, one pushes ([Treiber86]). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define CAS atomic_compare_exchange_strong

struct node { int value; struct node *next; };
struct node *_Atomic top;
int own[4];

void push_one(int i) {
  struct node *n = malloc(sizeof *n), *old;
  n->value = i;
  do { old = top; n->next = old; } while (!CAS(&top, &old, n));
}

void pop_one(int i) {
  for (;;) {
    struct node *old = top, *its;
    if (!old) break;
    its = old->next;
    if (CAS(&top, &old, its)) { own[i] = old->value; break; }
  }
}

void *both(void *p) { int i = (int)(long)p; push_one(i); pop_one(i); return 0; }
void *push(void *p) { int i = (int)(long)p; push_one(i); return 0; }

int main(void) {
  pthread_t t;
  for (long i = 0; i < 2; i++) pthread_create(&t, 0, both, (void *)i);
  pthread_create(&t, 0, push, (void *)2L);
  pthread_exit(0);
}
