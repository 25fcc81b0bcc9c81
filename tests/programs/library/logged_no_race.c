// expect: true args: --property no-data-race
// vfprintf reads no more of a text than its precision says, and of other arguments their values alone.
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
  logged("%p %ld %.1f%c %.*s\n", (void *)name, 1l, 2.0, 'x', 2, name);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, shows, NULL);
  name[2] = 'd';
  pthread_join(t, NULL);
  return 0;
}
