/* A thread writes a text into a pipe, main reads it to the end. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *argument) {
  const char *text = argument;
  if (write(ends[1], text, strlen(text)) < 0) perror("write");
  close(ends[1]);
  return NULL;
}

int main(void) {
  pthread_t thread;
  char buffer[8];
  if (pipe(ends) != 0) { perror("pipe"); return EXIT_FAILURE; }
  pthread_create(&thread, NULL, writer, "hello");
  ssize_t got = read(ends[0], buffer, sizeof buffer - 1);
  if (got < 0) { perror("read"); exit(EXIT_FAILURE); }
  buffer[got] = '\0';
  printf("%s\n", buffer);
  pthread_join(thread, NULL);
  close(ends[0]);
  assert(got < (ssize_t)sizeof buffer);
  return 0;
}
