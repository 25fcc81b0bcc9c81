// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
#include <pthread.h>
int main(void) {
  int *p = malloc(4);
  pthread_exit(0);
}
