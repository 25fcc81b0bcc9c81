// expect: true
#include <assert.h>
#include <pthread.h>

static double total;
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
  double first = 1.5, second = 0.25;
  pthread_create(&a, 0, add, &first);
  pthread_create(&b, 0, add, &second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 1.75);
  return 0;
}
