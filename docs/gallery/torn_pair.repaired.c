#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int month = 3;
static int day = 31;

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
  pthread_mutex_lock(&lock);
  int m = month;
  int d = day;
  pthread_mutex_unlock(&lock);
  assert(m == 3 ? d == 31 : d == 1);
  pthread_join(thread, NULL);
  return 0;
}
