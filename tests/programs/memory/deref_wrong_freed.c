// expect: false(valid-deref) args: --property valid-deref
#include <stdlib.h>
#include <pthread.h>
int *g;
void *t(void *a) {
  free(g);
  return 0;
}
int main(void) {
  pthread_t x;
  g = malloc(4);
  pthread_create(&x, 0, t, 0);
  *g = 1;
  return 0;
}
