// expect: true args: --property valid-memtrack
#include <pthread.h>
#include <stdlib.h>
void *child(void *argument) {
  return malloc(4);
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, child, 0);
  pthread_detach(thread);
  pthread_exit(0);
}
