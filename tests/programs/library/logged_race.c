// expect: false(no-data-race) args: --property no-data-race
// What a logger of one's own shows, vfprintf reads.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char name[4] = "abc";

static void logged(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
}

static void *shows(void *argument) {
  logged("%5d%% of %-*s\n", 7, 9, name);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, shows, NULL);
  name[2] = 'd';
  pthread_join(t, NULL);
  return 0;
}
