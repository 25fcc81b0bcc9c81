// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>
#include <string.h>

int main(void) {
  pthread_t self = pthread_self();
  unsigned long number;
  memcpy(&number, &self, sizeof(number));
  assert(number == 1);
  return 0;
}
