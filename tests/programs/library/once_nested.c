// expect: false(no-deadlock) args: --property no-deadlock
#include <pthread.h>

pthread_once_t a, b;

void inner_b(void) {}
void call_b(void) { pthread_once(&b, inner_b); }
void inner_a(void) {}
void call_a(void) { pthread_once(&a, inner_a); }

void *worker(void *unused) {
  pthread_once(&b, call_a);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_once(&a, call_b);
  pthread_join(t, 0);
  return 0;
}
