// expect: true args: --property no-data-race --engine static
// Each thread is given an object of its own, which its creator forgets.
#include <pthread.h>
#include <stdlib.h>
struct task {
  int n;
};
void *thread(void *argument) {
  struct task *its = argument;
  its->n++;
  free(its);
  return 0;
}
int main(void) {
  for (;;) {
    pthread_t t;
    struct task *task = malloc(sizeof *task);
    task->n = 1;
    pthread_create(&t, 0, thread, task);
  }
}
