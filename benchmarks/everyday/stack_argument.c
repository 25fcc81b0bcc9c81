/* A thread gets the address of a variable of a function that has returned. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument) {
  int *number = argument;
  *number += 1;
  return NULL;
}

static pthread_t start(void) {
  int number = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, work, &number);
  return thread;
}

int main(void) {
  pthread_t thread = start();
  pthread_join(thread, NULL);
  return 0;
}
