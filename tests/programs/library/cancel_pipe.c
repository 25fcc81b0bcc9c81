// expect: true args: --property unreach-call --property no-deadlock
// A read that waits for a byte, through a pointer, too.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
  char byte;
  ssize_t (*get)(int, void *, size_t) = read;
  get(ends[0], &byte, 1);
  assert(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0)
    return 1;
  pthread_create(&thread, 0, reader, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  return 0;
}
