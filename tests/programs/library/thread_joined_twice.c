// expect: unknown "a thread is joined that was joined"
#include <pthread.h>

void *run(void *arg) { return 0; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  pthread_join(thread, 0);
  return 0;
}
