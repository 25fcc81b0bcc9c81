// expect: true
#include <assert.h>
#include <pthread.h>

int order[3], count;

void handler(void *argument) {
  order[count] = (int)(long)argument;
  count++;
}

void leave(void) { pthread_exit((void *)7); }

void *worker(void *unused) {
  pthread_cleanup_push(handler, (void *)1);
  pthread_cleanup_push(handler, (void *)2);
  pthread_cleanup_push(handler, (void *)3);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(handler, (void *)4);
  pthread_cleanup_pop(1);
  leave();
  assert(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, &result);
  assert(result == (void *)7);
  assert(count == 3);
  assert(order[0] == 4 && order[1] == 2 && order[2] == 1);
  return 0;
}
