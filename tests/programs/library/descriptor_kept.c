// expect: false(no-deadlock) args: --property no-deadlock
/* The reader has kept the other end open: the end never comes. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int ends[2];
int other;

static void *feed(void *unused) {
  write(other, "ab", 2);
  close(other);
  return unused;
}

int main(void) {
  pthread_t id;
  char c;
  int n = 0;
  if (pipe(ends) != 0)
    return 1;
  other = dup(ends[1]);
  assert(other > ends[1] && dup(15) == -1);
  assert(fcntl(other, F_SETFD, FD_CLOEXEC) <= 0);
  pthread_create(&id, 0, feed, 0);
  while (read(ends[0], &c, 1) == 1)
    n++;
  assert(n == 2);
  pthread_join(id, 0);
  return 0;
}
