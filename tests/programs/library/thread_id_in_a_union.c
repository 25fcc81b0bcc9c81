// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

union id {
  pthread_t thread;
  unsigned long number;
};

int main(void) {
  union id id;
  id.thread = pthread_self();
  assert(id.number == 1);
  return 0;
}
