// expect: false(unreach-call) args: --error-function reach_error
/* A thread that begins with the function is a call of it. */
#include <pthread.h>
void reach_error(void) {}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, (void *(*)(void *))reach_error, 0);
  pthread_join(t, 0);
  return 0;
}
