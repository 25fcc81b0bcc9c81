// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t a, b;
int values[2], destroyed[2];

void destroy(void *value) {
  int *which = value;
  assert(pthread_getspecific(a) == 0);
  destroyed[*which]++;
}

void *worker(void *argument) {
  assert(pthread_getspecific(a) == 0);
  assert(pthread_setspecific(a, argument) == 0);
  assert(pthread_setspecific(b, &a) == 0);
  assert(pthread_getspecific(a) == argument);
  return 0;
}

int main(void) {
  pthread_t t, u;
  values[1] = 1;
  assert(pthread_key_create(&a, destroy) == 0);
  assert(pthread_key_create(&b, 0) == 0);
  assert(a != b);
  pthread_create(&t, 0, worker, &values[0]);
  pthread_create(&u, 0, worker, &values[1]);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(destroyed[0] == 1 && destroyed[1] == 1);
  assert(pthread_getspecific(a) == 0);
  assert(pthread_setspecific(a, &a) == 0);
  assert(pthread_key_delete(a) == 0);
  return 0;
}
