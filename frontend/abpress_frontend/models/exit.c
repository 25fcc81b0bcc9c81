/* What runs where the program ends by exit or a return from main, and by quick_exit (ISO C 7.22.4):
   the handlers, the last one first, in the thread that ends the program while others go on. Ending
   it again meanwhile is undefined. Registering succeeds (ISO C lets it fail). */
#include <abpress.h>
#include <stdlib.h>

#define MOST 32

struct __abp_handlers {
  unsigned int count;
  void (*routine[MOST])(void);
};

static struct __abp_handlers __abp_at_exit;
static struct __abp_handlers __abp_at_quick_exit;
static int __abp_is_ending;

static void __abp_register(struct __abp_handlers *handlers, void (*routine)(void)) {
  __abp_atomic_begin();
  if (handlers->count == MOST)
    __abp_cut("more than 32 handlers for the end of the program");
  handlers->routine[handlers->count] = routine;
  handlers->count = handlers->count + 1;
  __abp_atomic_end();
}

static void __abp_run(struct __abp_handlers *handlers) {
  void (*routine)(void);
  __abp_atomic_begin();
  if (__abp_is_ending)
    __abp_fault("the program is ended again while handlers run");
  __abp_is_ending = 1;
  __abp_atomic_end();
  while (handlers->count != 0) {
    __abp_atomic_begin();
    handlers->count = handlers->count - 1;
    routine = handlers->routine[handlers->count];
    __abp_atomic_end();
    routine();
  }
}

int atexit(void (*routine)(void)) {
  __abp_register(&__abp_at_exit, routine);
  return 0;
}

int at_quick_exit(void (*routine)(void)) {
  __abp_register(&__abp_at_quick_exit, routine);
  return 0;
}

void __abp_run_at_exit(void) { __abp_run(&__abp_at_exit); }

void __abp_run_at_quick_exit(void) { __abp_run(&__abp_at_quick_exit); }
