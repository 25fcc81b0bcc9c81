// expect: false(valid-memcleanup) args: --property valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
void *work(void *a) {
  int *p = malloc(4);
  free(p);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  return 0;
}
