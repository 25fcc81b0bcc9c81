// expect: true
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) { x = 1; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(x == 1);
}
