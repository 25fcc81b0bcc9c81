// expect: false(no-data-race) args: --property no-data-race
// The blocks differ at once; the last byte is read, too.
#include <pthread.h>
#include <string.h>

static char left[4] = "abcd", right[4] = "zbcd";

static void *work(void *unused) {
  left[3] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  int difference = memcmp(left, right, 4);
  pthread_join(thread, 0);
  return difference == 0;
}
