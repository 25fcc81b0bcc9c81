// expect: false(no-data-race) args: --property no-data-race
// NOTE(own-functions): `work` is called by the wrapper, in the new thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
typedef int (*start_t)(void *);
struct start { start_t function; void *argument; };
int x;
static void *wrapper(void *given) {
  struct start *start = given;
  start_t function = start->function;
  function(start->argument);
  return 0;
}
int thrd_create(pthread_t *thread, start_t function, void *argument) {
  struct start *start = malloc(sizeof *start);
  start->function = function;
  start->argument = argument;
  return pthread_create(thread, 0, wrapper, start);
}
int work(void *unused) { x++; return 0; }
int main(void) {
  pthread_t thread;
  thrd_create(&thread, work, 0);
  x++;
  pthread_join(thread, 0);
  return 0;
}
