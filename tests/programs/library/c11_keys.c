// expect: true
#include <assert.h>
#include <threads.h>

tss_t key;
thread_local int local = 3;
int destroyed;

void destroy(void *value) { destroyed = *(int *)value; }

int worker(void *argument) {
  assert(local == 3);
  local = 4;
  assert(tss_set(key, argument) == thrd_success);
  assert(tss_get(key) == argument);
  return local;
}

int main(void) {
  thrd_t t;
  int value = 9, result;
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_create(&t, worker, &value);
  thrd_join(t, &result);
  assert(result == 4);
  assert(local == 3);
  assert(destroyed == 9);
  tss_delete(key);
  return 0;
}
