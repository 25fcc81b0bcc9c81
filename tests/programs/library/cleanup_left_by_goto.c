// expect: unknown "a jump leaves what pthread_cleanup_push begins"
#include <pthread.h>

void handler(void *argument) {}

int main(void) {
  pthread_cleanup_push(handler, 0);
  goto out;
  pthread_cleanup_pop(0);
out:
  return 0;
}
