// expect: false(unreach-call)
// Memory of a thread that has ended is reached through its result, and by yet another thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *makes(void *argument) {
  int *made = malloc(sizeof *made);
  *made = 0;
  return made;
}

void *changes(void *argument) {
  *(int *)argument = 1;
  return 0;
}

int main(void) {
  pthread_t first, second;
  void *made;
  pthread_create(&first, 0, makes, 0);
  pthread_join(first, &made);
  pthread_create(&second, 0, changes, made);
  int before = *(int *)made;
  int after = *(int *)made;
  assert(before == after);
  return 0;
}
