// expect: true args: --property valid-deref
#include <pthread.h>
void *t(void *a) {
  *(int*)a = 2;
  return 0;
}
int main(void) {
  int x = 1;
  pthread_t i;
  pthread_create(&i, 0, t, &x);
  pthread_join(i, 0);
  return x - 2;
}
