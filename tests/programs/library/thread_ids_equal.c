// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>

pthread_t main_thread;

void *run(void *arg) {
  assert(pthread_equal(pthread_self(), main_thread));
  return 0;
}

int main(void) {
  pthread_t thread;
  main_thread = pthread_self();
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
