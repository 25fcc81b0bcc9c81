// expect: unknown "a thread is joined that was joined"
// The index of the loop does not count once.
#include <pthread.h>
pthread_t t[2];
int k;
int i;
void again(void) { if (k++ == 0) i--; }
void *f(void *a) { return 0; }
int main(void) {
  pthread_create(&t[0], 0, f, 0);
  pthread_create(&t[1], 0, f, 0);
  for (i = 0; i < 2; i++) { pthread_join(t[i], 0); again(); }
  return 0;
}
