/* Three philosophers; the last one takes the forks the other way round. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

#define N 3

static pthread_mutex_t forks[N];
static int meals[N];

static void *philosopher(void *argument) {
  int me = *(int *)argument, left = me, right = (me + 1) % N;
  if (me == N - 1) { left = right; right = me; }
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  meals[me]++;
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  int names[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < N; i++) {
    names[i] = i;
    pthread_create(&threads[i], NULL, philosopher, &names[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < N; i++) assert(meals[i] == 1);
  return 0;
}
