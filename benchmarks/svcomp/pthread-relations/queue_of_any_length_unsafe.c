/* The producer lets zero pass. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int *queue;
int n, front, back, wrong;

void *put(void *unused) {
  for (int i = 0; i < n; i++) {
    if (queue[back] < 0)
      abort();
    __VERIFIER_atomic_begin();
    back++;
    __VERIFIER_atomic_end();
  }
  return 0;
}

void *take(void *unused) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    if (front >= back || front >= n)
      abort();
    int item = queue[front];
    front++;
    __VERIFIER_atomic_end();
    if (item <= 0)
      wrong = 1;
  }
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    abort();
  queue = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    queue[i] = __VERIFIER_nondet_int();
  pthread_create(&t1, 0, put, 0);
  pthread_create(&t2, 0, take, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(!wrong);
  return 0;
}
