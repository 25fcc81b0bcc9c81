/* A reader that tries again when a writer was there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int x, y;

static void *writer(void *unused) {
  atomic_fetch_add(&version, 1);
  atomic_store(&x, 1);
  atomic_store(&y, 1);
  atomic_fetch_add(&version, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  unsigned before;
  int a, b;
  pthread_create(&thread, 0, writer, 0);
  do {
    while ((before = atomic_load(&version)) % 2 != 0) {}
    a = atomic_load(&x);
    b = atomic_load(&y);
  } while (atomic_load(&version) != before);
  assert(a == b);
  pthread_join(thread, 0);
  return 0;
}
