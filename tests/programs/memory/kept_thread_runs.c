// expect: true args: --property valid-memtrack
#include <stdlib.h>
#include <pthread.h>
int go;
void *t(void *a) {
  while (!go) ;
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, malloc(4));
  return 0;
}
