/* The sum is common and unprotected: two threads count the words of two texts. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

struct task { const char *text; unsigned words; };

static unsigned total;

static void *count(void *argument) {
  struct task *task = argument;
  int inside = 0;
  for (const char *c = task->text; *c != '\0'; c++) {
    if (isspace((unsigned char)*c)) {
      inside = 0;
    } else if (!inside) {
      inside = 1;
      total++;
    }
  }
  return NULL;
}

int main(void) {
  struct task tasks[2] = {{"to be or", 0}, {"not to be", 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, &tasks[i]);
  unsigned words = 0;
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    words = total;
  }
  printf("%u words\n", words);
  assert(words == 6);
  return 0;
}
