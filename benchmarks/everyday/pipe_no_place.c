/* No place is left for the end of the text: a thread writes a text into a pipe, main reads it to the end. */
#include <pthread.h>
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
  pthread_create(&thread, NULL, writer, "good day");
  ssize_t got = read(ends[0], buffer, sizeof buffer);
  if (got < 0) { perror("read"); exit(EXIT_FAILURE); }
  buffer[got] = '\0';
  printf("%s\n", buffer);
  pthread_join(thread, NULL);
  close(ends[0]);
  return 0;
}
