// expect: unknown "a jump leaves what pthread_cleanup_push begins"
#include <pthread.h>

void handler(void *argument) {}

int main(void) {
  pthread_cleanup_push(handler, 0);
  return 0;
  pthread_cleanup_pop(0);
  return 0;
}
