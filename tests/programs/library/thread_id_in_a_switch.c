// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

int main(void) {
  switch (pthread_self()) {
  case 1:
    return 0;
  }
  assert(0);
  return 0;
}
