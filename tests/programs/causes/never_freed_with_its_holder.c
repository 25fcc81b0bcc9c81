// expect: false(valid-memtrack) args: --property valid-memtrack
// cause: never freed
// A message that comes too late is freed, and its text is not.
#include <pthread.h>
#include <stdlib.h>

struct message {
  struct message *next;
  char *text;
};

static struct message *head;
static int closed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *arg) {
  struct message *message = malloc(sizeof *message);
  message->text = malloc(1);  // <-
  message->text[0] = 0;
  pthread_mutex_lock(&m);
  if (closed) {
    pthread_mutex_unlock(&m);
    free(message);  // <-
    return arg;
  }
  message->next = head;
  head = message;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, sender, 0);
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  if (head) {
    free(head->text);
    free(head);
  }
  return 0;
}
