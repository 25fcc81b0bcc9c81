// expect: true args: --property valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
void *work(void *a) {
  free(a);
  return 0;
}
int main(void) {
  pthread_t id;
  int *p = malloc(4);
  if (p == 0)
    abort();
  pthread_create(&id, 0, work, malloc(4));
  pthread_join(id, 0);
  free(p);
  return 0;
}
