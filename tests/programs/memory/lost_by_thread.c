// expect: false(valid-memtrack) args: --property valid-memtrack
#include <pthread.h>
#include <stdlib.h>
int *g;
void *f(void *a) {
  g = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  g = malloc(sizeof *g);
  exit(0);
}
