// expect: true args: --property valid-deref --property no-data-race
// Attributes that are there, or none at all.
#include <pthread.h>
#include <stdlib.h>
pthread_cond_t cond;
pthread_rwlock_t lock;
void *nothing(void *argument) { return argument; }
int main(void) {
  pthread_t thread, other;
  pthread_attr_t *attr = malloc(sizeof *attr);
  pthread_condattr_t of_cond;
  pthread_attr_init(attr);
  pthread_create(&thread, attr, nothing, 0);
  pthread_create(&other, 0, nothing, 0);
  pthread_attr_destroy(attr);
  free(attr);
  pthread_condattr_init(&of_cond);
  pthread_cond_init(&cond, &of_cond);
  pthread_condattr_destroy(&of_cond);
  pthread_rwlock_init(&lock, 0);
  pthread_join(thread, 0);
  pthread_join(other, 0);
  return 0;
}
