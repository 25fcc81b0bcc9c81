// expect: false(unreach-call)
/* A thread may begin with what the program only declares. */
#include <pthread.h>
extern void reach_error(void);
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, (void *(*)(void *))reach_error, 0);
  pthread_join(t, 0);
  return 0;
}
