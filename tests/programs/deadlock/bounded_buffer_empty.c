// expect: false(no-deadlock) args: --property no-deadlock --engine abpress
// A buffer that may have the size 0: producer and consumer wait for each other.
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned size, used;

static void *consumer(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (used == 0)
      pthread_cond_wait(&changed, &m);
    used--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  size = __VERIFIER_nondet_uint();
  pthread_create(&t, 0, consumer, 0);
  for (;;) {
    pthread_mutex_lock(&m);
    while (used == size)
      pthread_cond_wait(&changed, &m);
    used++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
}
