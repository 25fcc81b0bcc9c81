// expect: false(valid-deref) args: --property valid-deref
#include <pthread.h>
int *g;
void *t(void *a) {
  int x = 1;
  g = &x;
  return 0;
}
int main(void) {
  pthread_t i;
  pthread_create(&i, 0, t, 0);
  pthread_join(i, 0);
  return *g;
}
