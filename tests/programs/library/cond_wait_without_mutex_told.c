// expect: true
// An error-checking mutex tells.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void) {
  assert(pthread_cond_wait(&cond, &mutex) == EPERM);
  return 0;
}
