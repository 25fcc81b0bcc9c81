/* Reads lines of any length, and counts those that are not empty. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned filled;

static void *count(void *unused) {
  (void)unused;
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  while ((length = getline(&line, &size, stdin)) != -1) {
    if (length > 0 && line[length - 1] == '\n') line[--length] = '\0';
    if (length == 0) continue;
    pthread_mutex_lock(&lock);
    filled++;
    pthread_mutex_unlock(&lock);
  }
  free(line);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  pthread_join(thread, NULL);
  printf("%u\n", filled);
  return 0;
}
