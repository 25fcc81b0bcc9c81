// expect: unknown "a mutex is unlocked that the thread does not hold"
// Of C11's mutexes no kind may be.
#include <threads.h>

mtx_t mutex;

int thief(void *unused) { return mtx_unlock(&mutex); }

int main(void) {
  thrd_t t;
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  mtx_lock(&mutex);
  thrd_create(&t, thief, 0);
  thrd_join(t, 0);
  return 0;
}
