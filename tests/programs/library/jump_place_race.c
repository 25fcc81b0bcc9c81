// expect: false(no-data-race) args: --property no-data-race
// To keep a place is to write the buffer.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;

static void *work(void *unused) {
  setjmp(place);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  setjmp(place);
  return 0;
}
