// Torn pair
//
// A date is a pair of month and day. Who reads it takes the lock for each of them, but between the two the lock is free: at
// midnight it finds the old month with the new day, 1 March after 31 March.
//
// repair: What belongs together is read, as it is written, in one critical section.
// property: unreach-call
// cause: intermediate state
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int month = 3;
static int day = 31;

static int get(int *field) {
  pthread_mutex_lock(&lock);
  int value = *field;
  pthread_mutex_unlock(&lock);
  return value;
}

static void *midnight(void *unused) {
  pthread_mutex_lock(&lock);
  month = 4;
  day = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, midnight, NULL);
  int m = get(&month);
  int d = get(&day);
  assert(m == 3 ? d == 31 : d == 1);
  pthread_join(thread, NULL);
  return 0;
}
