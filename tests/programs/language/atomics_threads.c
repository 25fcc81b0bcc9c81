// expect: true
// An atomic update is one step, also as an operator on an _Atomic object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int a;
static int b, c;
static struct {
  int padding;
  atomic_uint d;
} s;

static void *worker(void *unused) {
  a++;
  a += 2;
  __sync_fetch_and_add(&b, 1);
  __atomic_add_fetch(&c, 3, __ATOMIC_RELAXED);
  atomic_fetch_add_explicit(&s.d, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(a == 6 && b == 2 && c == 6 && s.d == 2);
  return 0;
}
