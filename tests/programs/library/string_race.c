// expect: false(unreach-call)
// strcpy copies byte by byte: others see it half done.
#include <assert.h>
#include <pthread.h>
#include <string.h>

char text[3] = "ab";

void *worker(void *unused) {
  strcpy(text, "cd");
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  assert(text[0] != 'c' || text[1] == 'd');
  return 0;
}
