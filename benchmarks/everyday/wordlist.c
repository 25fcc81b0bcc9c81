/* A line is cut into words with strtok_r, and each is copied. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char *words[4];
static int count;

static void *cut(void *argument) {
  char *rest;
  for (char *word = strtok_r(argument, " ,", &rest); word != NULL && count < 4; word = strtok_r(NULL, " ,", &rest)) {
    words[count] = strdup(word);
    if (words[count] == NULL) break;
    count++;
  }
  return NULL;
}

int main(void) {
  char line[] = "a, bc d";
  pthread_t thread;
  pthread_create(&thread, NULL, cut, line);
  pthread_join(thread, NULL);
  assert(count == 3 && strcmp(words[1], "bc") == 0);
  while (count > 0) free(words[--count]);
  return 0;
}
