// expect: true args: --property unreach-call --property valid-memsafety
// A struct with as many pointers at its end as an input says.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct pool {
  int n;
  int *first;
  int *jobs[];
};

int main(void) {
  int some = 7, n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3)
    return 0;
  struct pool *p = malloc(sizeof *p + (size_t)n * sizeof p->jobs[0]);
  p->n = n;
  p->first = &some;
  p->jobs[n - 1] = &some;
  assert(*p->jobs[p->n - 1] == 7 && p->first == p->jobs[n - 1]);
  free(p);
  struct pool *bare = malloc(sizeof *bare);
  bare->first = &some;
  assert(*bare->first == 7);
  free(bare);
  return 0;
}
