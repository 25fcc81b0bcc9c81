// expect: true
// Arrays of mutexes and of pthread_t, indexed by variables; an argument by value and by pointer.
#include <assert.h>
#include <pthread.h>

#define N 3
static pthread_mutex_t locks[2];
static pthread_t threads[N];
static int counters[2];

static void *worker(void *argument) {
  int which = (int)(long)argument % 2;
  pthread_mutex_lock(&locks[which]);
  int seen = counters[which];
  counters[which] = seen + 1;
  pthread_mutex_unlock(&locks[which]);
  return &counters[which];
}

int main(void) {
  for (int i = 0; i < 2; i++)
    pthread_mutex_init(locks + i, 0);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = N; i-- > 0;) {
    void *result;
    pthread_join(threads[i], &result);
    assert(result == &counters[i % 2]);
  }
  assert(counters[0] == 2 && counters[1] == 1);
  return 0;
}
