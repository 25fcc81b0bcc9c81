// expect: unknown "may be missed" args: --property no-data-race --engine stateless
// NOTE(races-in-cuts): a block that reads x and then joins is not taken back before the thread's end.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

atomic_int ready;
int x;
pthread_t first, second;

void *writer(void *arg) {
  ready = 1;
  x = 2;
  return 0;
}

void *reader(void *arg) {
  __VERIFIER_assume(ready == 1);
  __VERIFIER_atomic_begin();
  int seen = x;
  pthread_join(first, 0);
  __VERIFIER_atomic_end();
  return (void *)(long)seen;
}

int main(void) {
  pthread_create(&first, 0, writer, 0);
  pthread_create(&second, 0, reader, 0);
  return pthread_join(second, 0);
}
