// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
#include <pthread.h>
int *g;
void *t(void *a) {
  if (!g) g = malloc(4);
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, t, 0);
  pthread_create(&y, 0, t, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
