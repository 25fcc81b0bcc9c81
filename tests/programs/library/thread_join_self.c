// expect: true args: --property no-deadlock
// A thread that joins itself gets EDEADLK.
#include <pthread.h>

int main(void) {
  pthread_join(pthread_self(), 0);
  return 0;
}
