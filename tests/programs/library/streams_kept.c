// expect: false(no-data-race) args: --property no-data-race
// A stream that is kept is one, and not NULL.
#include <pthread.h>
#include <stdio.h>

static struct {
  pthread_mutex_t lock;
  FILE *out;
  unsigned lines;
} logger = {PTHREAD_MUTEX_INITIALIZER};

static void *log_it(void *text) {
  pthread_mutex_lock(&logger.lock);
  if (logger.out != NULL)
    fprintf(logger.out, "%s\n", (char *)text);
  pthread_mutex_unlock(&logger.lock);
  logger.lines++;
  return NULL;
}

int main(void) {
  pthread_t thread;
  logger.out = stderr;
  pthread_create(&thread, NULL, log_it, "a");
  log_it("b");
  return 0;
}
