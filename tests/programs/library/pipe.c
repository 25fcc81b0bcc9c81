// expect: true args: --property unreach-call,no-deadlock,valid-deref,no-data-race
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
  ssize_t done = write(ends[1], "ab", 2);
  assert(done == 2);
  close(ends[1]);
  return unused;
}

int main(void) {
  pthread_t thread;
  char text[4];
  ssize_t got, all = 0;
  if (pipe(ends) != 0)
    return 1;
  pthread_create(&thread, 0, writer, 0);
  while ((got = read(ends[0], text + all, 1)) > 0)
    all += got;
  assert(got == 0 && all == 2 && text[0] == 'a' && text[1] == 'b');
  pthread_join(thread, 0);
  assert(close(ends[0]) == 0 && close(ends[0]) == -1);
  assert(read(ends[0], text, 1) == -1);
  return 0;
}
