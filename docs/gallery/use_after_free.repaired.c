#include <pthread.h>
#include <stdlib.h>

struct message {
  int number;
};

static int last;

static void *print(void *argument) {
  struct message *message = argument;
  last = message->number;
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct message *message = malloc(sizeof *message);
  message->number = 7;
  pthread_create(&thread, NULL, print, message);
  pthread_join(thread, NULL);
  free(message);
  return last;
}
