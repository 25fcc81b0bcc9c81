/* A thread goes on while a function runs at the end of main. */
#include <pthread.h>
#include <stdlib.h>

static int *place;

static void clean(void) {
  place = NULL;
}

static void *work(void *unused) {
  if (place != NULL) *place = 1;
  return unused;
}

int main(void) {
  static int value;
  pthread_t thread;
  place = &value;
  atexit(clean);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  return 0;
}
