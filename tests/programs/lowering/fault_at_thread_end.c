// expect: unknown "fault_at_thread_end.c:5:"
#include <pthread.h>
#include <stdlib.h>

void destroy(void *p) { free((char *)p + 1); }

void *run(void *key) {
  pthread_setspecific(*(pthread_key_t *)key, malloc(4));
  return 0;
}

int main(void) {
  pthread_key_t key;
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, run, &key);
  pthread_join(t, 0);
  return 0;
}
