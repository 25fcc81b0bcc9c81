// expect: false(unreach-call)
// Destructors run in any order.
#include <assert.h>
#include <pthread.h>

pthread_key_t first, second;
int ran, value;

void of_first(void *value) { ran = 1; }
void of_second(void *value) {
  assert(ran == 1);
  ran = 2;
}

void *run(void *arg) {
  pthread_setspecific(first, &value);
  pthread_setspecific(second, &value);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&first, of_first);
  pthread_key_create(&second, of_second);
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
