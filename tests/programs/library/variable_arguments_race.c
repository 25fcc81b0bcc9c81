// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int total;

static void add(int count, ...) {
  va_list list;
  va_start(list, count);
  while (count-- > 0)
    total += *va_arg(list, int *);
  va_end(list);
}

static int one = 1;

static void *work(void *unused) {
  add(1, &one);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  add(1, &one);
  pthread_join(thread, 0);
  assert(total == 2);
  return 0;
}
