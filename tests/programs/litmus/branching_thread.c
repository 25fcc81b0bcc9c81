// expect: false(unreach-call)
// NOTE(branching-threads): a thread that is chosen takes all its branches.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

int shared;

void *branches(void *argument) {
  _Bool one = __VERIFIER_nondet_bool();
  for (int i = 0; i < 2; i++)
    ;
  if (one)
    shared = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, branches, 0);
  pthread_join(thread, 0);
  assert(shared == 0);
  return 0;
}
