// expect: false(valid-deref) args: --property valid-deref
// Who creates a thread reads the attributes.
#include <pthread.h>
#include <stdlib.h>
void *nothing(void *argument) { return argument; }
int main(void) {
  pthread_t thread;
  pthread_attr_t *attr = malloc(sizeof *attr);
  pthread_attr_init(attr);
  free(attr);
  pthread_create(&thread, attr, nothing, 0);
  pthread_join(thread, 0);
  return 0;
}
