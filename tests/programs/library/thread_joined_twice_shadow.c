// expect: unknown "a thread is joined that was joined"
// The index of the loop does not count once.
#include <pthread.h>
pthread_t t[2];
int k;

void *f(void *a) { return 0; }
int main(void) {
  pthread_create(&t[0], 0, f, 0);
  pthread_create(&t[1], 0, f, 0);
  for (int i = 0; i < 2; i++) { int i = 0; pthread_join(t[i], 0); }
  return 0;
}
