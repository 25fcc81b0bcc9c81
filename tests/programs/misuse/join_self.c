// expect: false(no-misuse) "a thread joins itself" args: --property no-misuse
#include <pthread.h>

int main(void) {
  pthread_join(pthread_self(), 0);
  return 0;
}
