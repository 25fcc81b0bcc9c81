// Lost update
//
// Two threads count visitors. `visitors++` reads, adds and writes: where both threads read the same number, both write the
// same sum, and one visitor is forgotten.
//
// repair: The three steps become one: an atomic addition. (A mutex around `visitors++` does as well.)
// property: unreach-call
// cause: lost update
#include <assert.h>
#include <pthread.h>

static int visitors;

static void *enter(void *unused) {
  visitors++;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, enter, NULL);
  pthread_create(&second, NULL, enter, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(visitors == 2);
  return 0;
}
