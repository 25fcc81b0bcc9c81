// expect: false(valid-deref) args: --property valid-deref
// Initialisation reads the attributes, of whatever is initialised.
#include <pthread.h>
#include <stdlib.h>
pthread_rwlock_t lock;
int main(void) {
  pthread_rwlockattr_t *attr = malloc(sizeof *attr);
  pthread_rwlockattr_init(attr);
  free(attr);
  pthread_rwlock_init(&lock, attr);
  return 0;
}
