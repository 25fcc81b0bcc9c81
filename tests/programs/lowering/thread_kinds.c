// expect: true args: --data-model LP64
#include <assert.h>
#include <pthread.h>

int got;

void number(int x) { got = x; }
int successor(int x) { return x + 1; }
void nothing(void) { got = 9; }
void *same(void *p) { return p; }

void (*chosen)(void) = nothing;
void *(*variable)(void *);

pthread_t start(void *(*f)(void *), void *arg) {
  pthread_t t;
  f = variable ? variable : f;
  pthread_create(&t, 0, f, arg);
  return t;
}

int main(void) {
  pthread_t t, copy[2];
  void *result;
  pthread_create(&t, 0, (void *(*)(void *))number, (void *)5);
  pthread_join(t, 0);
  assert(got == 5);
  pthread_create(&t, 0, (void *)successor, (void *)3);
  pthread_join(t, &result);
  assert((int)(long)result == 4);
  pthread_create(&t, 0, (void *(*)(void *)) & nothing, 0);
  pthread_join(t, 0);
  assert(got == 9);
  got = 0;
  pthread_create(&t, 0, (void *(*)(void *))chosen, 0);
  pthread_join(t, 0);
  assert(got == 9);
  copy[1] = start(same, &got);
  copy[0] = copy[1];
  pthread_join(copy[0], &result);
  assert(result == &got);
  return 0;
}
