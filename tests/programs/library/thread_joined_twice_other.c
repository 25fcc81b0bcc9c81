// expect: unknown "a thread is joined that was joined"
// What the loop creates is not what it joins.
#include <pthread.h>
pthread_t t[2];
int k;

void *f(void *a) { return 0; }
int main(void) {
  pthread_create(&t[0], 0, f, 0);
  pthread_create(&t[1], 0, f, 0);
  for (int i = 0; i < 2; i++) { pthread_t u; pthread_create(&t[1], 0, f, 0); pthread_join(t[0], 0); }
  return 0;
}
