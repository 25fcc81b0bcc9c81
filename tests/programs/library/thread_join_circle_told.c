// expect: false(unreach-call)
// Of two threads that join one another the second may be told so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_t main_thread;

void *run(void *arg) {
  int result = pthread_join(main_thread, 0);
  assert(result != EDEADLK);
  return 0;
}

int main(void) {
  pthread_t thread;
  main_thread = pthread_self();
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
