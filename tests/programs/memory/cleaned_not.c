// expect: false(valid-memcleanup) args: --property valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
int *kept;
void *work(void *a) {
  kept = malloc(4);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, work, 0);
  pthread_exit(0);
}
