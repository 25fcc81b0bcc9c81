// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
#include <pthread.h>
void *t(void *a) {
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, malloc(4));
  return 0;
}
