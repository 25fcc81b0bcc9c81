// expect: false(no-data-race) args: --property no-data-race
// The creator keeps the address of the object for one round more.
#include <pthread.h>
#include <stdlib.h>
struct task {
  int n;
};
void *thread(void *argument) {
  struct task *its = argument;
  its->n++;
  return 0;
}
int main(void) {
  struct task *last = 0;
  for (int i = 0; i < 2; i++) {
    pthread_t t;
    struct task *task = malloc(sizeof *task);
    task->n = 1;
    if (last)
      last->n = 2;
    last = task;
    pthread_create(&t, 0, thread, task);
  }
}
