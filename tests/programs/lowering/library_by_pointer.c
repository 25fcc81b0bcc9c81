// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
  int a, b;
};

struct pair up(int x) { return (struct pair){x, x + 1}; }
struct pair down(int x) { return (struct pair){x, x - 1}; }

void (*release)(void *) = free;
int (*locks[])(pthread_mutex_t *) = {pthread_mutex_lock, pthread_mutex_unlock};
struct pair (*steps[])(int) = {up, down};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_key_t key;
int count, zero;

void *run(void *arg) {
  locks[zero](&mutex);
  count++;
  locks[zero + 1](&mutex);
  pthread_setspecific(key, arg);
  return 0;
}

int main(void) {
  pthread_t t;
  struct pair p = steps[1](3);
  pthread_key_create(&key, free);
  assert(p.a == 3 && p.b == 2 && steps[zero](p.b).b == 3);
  pthread_create(&t, 0, run, malloc(4));
  locks[0](&mutex);
  count++;
  locks[1](&mutex);
  pthread_join(t, 0);
  assert(count == 2);
  release(malloc(4));
  return 0;
}
