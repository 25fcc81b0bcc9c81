// expect: true
// Cleanup handlers run before destructors, and a destructor sees its own key without a value.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int cleaned, destroyed, value;

void destructor(void *given) {
  assert(cleaned == 1 && given == &value && pthread_getspecific(key) == 0);
  destroyed++;
}
void cleanup(void *arg) {
  assert(destroyed == 0 && pthread_getspecific(key) == &value);
  cleaned = 1;
}

void *run(void *arg) {
  pthread_setspecific(key, &value);
  pthread_cleanup_push(cleanup, 0);
  pthread_exit(0);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destructor);
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(destroyed == 1);
  return 0;
}
