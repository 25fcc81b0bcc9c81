// expect: true args: --property no-deadlock --property unreach-call
// NOTE(exits-as-assumptions): the program ends, so nobody waits for ever for who ended it.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *leaves(void *argument) {
  pthread_mutex_lock(&lock);
  exit(0);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leaves, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
