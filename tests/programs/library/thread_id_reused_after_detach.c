// expect: unknown "an id is compared of a thread that was joined, or detached and has ended"
#include <assert.h>
#include <pthread.h>

void *run(void *arg) { return 0; }

int main(void) {
  pthread_t first, second;
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&first, &detached, run, 0);
  pthread_create(&second, &detached, run, 0);
  assert(!pthread_equal(first, second));
  return 0;
}
