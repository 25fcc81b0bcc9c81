/* A thread returns what it has allocated. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *make(void *argument) {
  char *text = malloc(16);
  if (text == NULL) return NULL;
  snprintf(text, 16, "%s!", (const char *)argument);
  return text;
}

int main(void) {
  pthread_t thread;
  void *text = NULL;
  if (pthread_create(&thread, NULL, make, "hi") != 0) return EXIT_FAILURE;
  pthread_join(thread, &text);
  if (text != NULL) assert(strcmp(text, "hi!") == 0);
  free(text);
  return 0;
}
