// expect: true args: --property valid-memtrack
#include <stdlib.h>
#include <pthread.h>
void *t(void *a) {
  return malloc(4);
}
int main(void) {
  pthread_t id;
  void *r;
  pthread_create(&id, 0, t, 0);
  pthread_join(id, &r);
  free(r);
  return 0;
}
