// expect: true
// A destructor that sets its key again runs four times in all.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int calls;

void destroy(void *value) {
  calls++;
  pthread_setspecific(key, value);
}

void *worker(void *unused) {
  pthread_setspecific(key, &key);
  pthread_exit(0);
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(calls == PTHREAD_DESTRUCTOR_ITERATIONS);
  return 0;
}
