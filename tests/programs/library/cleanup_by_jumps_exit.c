// expect: unknown "a cleanup handler is run by a jump" args: --property unreach-call
// The handler would run, and done be 1.
#include <assert.h>
#include <pthread.h>

struct place {
  struct {
    long registers[8];
    int has_mask;
  } jump[1];
  void *unused[4];
};
extern int __sigsetjmp_cancel(void *buffer, int save_mask);
extern void __pthread_register_cancel(void *buffer);
extern void __pthread_unregister_cancel(void *buffer);
extern void __pthread_unwind_next(void *buffer);

static int done;
static void handle(void *count) { ++*(int *)count; }

static void *work(void *count) {
  struct place place;
  if (__sigsetjmp_cancel(place.jump, 0)) {
    handle(count);
    __pthread_unwind_next(&place);
  }
  __pthread_register_cancel(&place);
  pthread_exit(0);
  __pthread_unregister_cancel(&place);
  handle(count);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, &done);
  pthread_join(thread, 0);
  assert(done == 1);
  return 0;
}
