// expect: false(no-data-race) args: --property no-data-race
#include <pthread.h>
#include <stdio.h>

static char text[2];

static void *change(void *unused) {
  text[1] = 'x';
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  fwrite(text, 1, 2, stdout);
  pthread_join(thread, 0);
  return 0;
}
