// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>
#include <string.h>

void *run(void *arg) { return 0; }

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  assert(memcmp(&first, &second, sizeof first) < 0);
  return 0;
}
