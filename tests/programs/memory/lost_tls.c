// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
#include <pthread.h>
_Thread_local int *g;
void *t(void *a) {
  g = malloc(4);
  return 0;
}
int main(void) {
  pthread_t x;
  pthread_create(&x, 0, t, 0);
  pthread_join(x, 0);
  exit(0);
}
