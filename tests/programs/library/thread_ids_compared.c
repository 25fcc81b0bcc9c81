// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

pthread_t main_thread;

void *run(void *arg) {
  assert(!pthread_equal(pthread_self(), main_thread));
  return 0;
}

int main(void) {
  pthread_t first, second, none = 0;
  main_thread = pthread_self();
  pthread_create(&first, 0, run, 0);
  pthread_create(&second, 0, run, 0);
  printf("%lu %lu\n", (unsigned long)first, (unsigned long)main_thread);
  assert(first != second && first != none && first);
  assert(main_thread == pthread_self());
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
