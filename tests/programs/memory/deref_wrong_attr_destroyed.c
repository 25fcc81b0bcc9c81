// expect: false(valid-deref) args: --property valid-deref
// What is destroyed must be there.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_attr_t *attr = malloc(sizeof *attr);
  pthread_attr_init(attr);
  free(attr);
  pthread_attr_destroy(attr);
  return 0;
}
