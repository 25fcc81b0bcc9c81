// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

void *run(void *arg) { return 0; }

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  assert(first < second);
  return 0;
}
