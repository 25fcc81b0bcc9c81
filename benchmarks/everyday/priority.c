/* A mutex that inherits priorities, and one with a ceiling. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static pthread_mutex_t inherits, ceiling;
static int count;

static void *work(void *unused) {
  pthread_mutex_lock(&inherits);
  pthread_mutex_lock(&ceiling);
  count++;
  pthread_mutex_unlock(&ceiling);
  pthread_mutex_unlock(&inherits);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_t a, b;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&inherits, &attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_setprioceiling(&attributes, 10);
  pthread_mutex_init(&ceiling, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);
  return 0;
}
