// expect: false(unreach-call) args: --property unreach-call
// cause: too many permits
// A semaphore begins with a permit more than there are connections.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#define N 2
static sem_t available;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool busy[N];
static int acquire(void) {
  int found = -1;
  sem_wait(&available);  // <-
  pthread_mutex_lock(&lock);
  for (int i = 0; i < N && found < 0; i++)
    if (!busy[i]) { busy[i] = true; found = i; }
  pthread_mutex_unlock(&lock);
  return found;
}
static void release(int i) {
  pthread_mutex_lock(&lock);
  busy[i] = false;
  pthread_mutex_unlock(&lock);
  sem_post(&available);
}
static void *client(void *arg) {
  int rounds = *(int *)arg;
  for (int i = 0; i < rounds; i++) {
    int c = acquire();
    assert(c >= 0);
    release(c);
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  int rounds = 1;
  sem_init(&available, 0, N + 1);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, client, &rounds);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
