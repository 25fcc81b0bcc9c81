// expect: false(no-misuse) "a rwlock is locked for writing that the thread holds" args: --property no-misuse
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_wrlock(&l);
  return 0;
}
