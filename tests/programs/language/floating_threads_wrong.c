// expect: false(unreach-call)
// Sums depend on the order: (1e16 + 1) + -1e16 is 0, (1e16 + -1e16) + 1 is 1.
#include <assert.h>
#include <pthread.h>

static double total = 1e16;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
  double *amount = argument;
  pthread_mutex_lock(&lock);
  total += *amount;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  double first = 1, second = -1e16;
  pthread_create(&a, 0, add, &first);
  pthread_create(&b, 0, add, &second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 1);
  return 0;
}
