// expect: true
// Two numbers of a line: which, only the scan tells.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int positive;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *number) {
  pthread_mutex_lock(&lock);
  positive += *(int *)number > 0;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  char line[64];
  int a, b;
  pthread_t first, second;
  if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d %d", &a, &b) != 2)
    return 1;
  pthread_create(&first, 0, count, &a);
  pthread_create(&second, 0, count, &b);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(positive <= 2);
  return 0;
}
