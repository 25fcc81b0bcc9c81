// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) { return unused; }

static unsigned long number(void *key) { return *(unsigned long *)key; }

/* Whether the second id is the greater one is not known. */
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, work, 0);
  pthread_create(&t[1], 0, work, 0);
  assert(number(&t[0]) < number(&t[1]));
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
