// Use after free
//
// The message is freed when the function that made it has no more use for it. The thread that prints it may be slower.
//
// repair: Who frees it waits until the thread has ended.
// property: valid-deref
// cause: use after free
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
  free(message);
  pthread_join(thread, NULL);
  return last;
}
