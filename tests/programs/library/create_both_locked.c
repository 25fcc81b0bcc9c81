// expect: true args: --property no-data-race
// Two threads store ids in one variable under its lock, after calls that may end in several ways.
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_t id;

void *nothing(void *argument) { return argument; }

void *creator(void *unused) {
  char byte;
  read(0, &byte, 1);
  pthread_mutex_lock(&mutex);
  pthread_create(&id, 0, nothing, 0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, creator, 0);
  pthread_create(&second, 0, creator, 0);
  pthread_cancel(second);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
