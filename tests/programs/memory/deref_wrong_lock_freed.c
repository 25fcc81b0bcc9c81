// expect: false(valid-deref) args: --property valid-deref
#include <stdlib.h>
#include <pthread.h>
int main(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  pthread_mutex_init(m, 0);
  free(m);
  pthread_mutex_lock(m);
  return 0;
}
