// expect: true
// Some threads detach themselves, others are joined; main is detached, too.
#include <assert.h>
#include <pthread.h>
#include <threads.h>

int sum;

void *alone(void *unused) {
  pthread_detach(pthread_self());
  return 0;
}

int counted(void *unused) {
  sum += 2;
  return sum;
}

int main(void) {
  pthread_t one;
  thrd_t two;
  int result;
  pthread_detach(pthread_self());
  pthread_create(&one, 0, alone, 0);
  thrd_create(&two, counted, 0);
  assert(thrd_join(two, &result) == thrd_success);
  assert(result == 2 && sum == 2);
  return 0;
}
