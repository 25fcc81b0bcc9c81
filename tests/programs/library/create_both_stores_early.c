// expect: true
// Also where the program calls pthread_create elsewhere, which may store it late.
#include <assert.h>
#include <pthread.h>
#include <threads.h>

thrd_t id;
pthread_t second;

int thread(void *argument) {
  assert(thrd_equal(id, thrd_current()));
  return 0;
}

void *other(void *argument) { return &second; }

int main(void) {
  thrd_create(&id, thread, 0);
  thrd_join(id, 0);
  pthread_create(&second, 0, other, 0);
  pthread_join(second, 0);
  return 0;
}
