// expect: false(unreach-call)
// Also where the program calls thrd_create elsewhere, which stores it before.
#include <pthread.h>
#include <threads.h>
void reach_error(void);

pthread_t id;

void *thread(void *argument) {
  if (!pthread_equal(id, pthread_self()))
    reach_error();
  return 0;
}

int other(void *argument) { return 0; }

int main(void) {
  thrd_t second;
  pthread_create(&id, 0, thread, 0);
  pthread_join(id, 0);
  thrd_create(&second, other, 0);
  thrd_join(second, 0);
  return 0;
}
