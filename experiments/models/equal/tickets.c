/* Workers draw tickets and are served in their order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
atomic_uint next, served;
int inside;
void *worker(void *p) {
  unsigned mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&served) != mine)
    ;
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&served, mine + 1);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(served == N);
  return 0;
}
