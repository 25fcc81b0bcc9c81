// expect: unknown "a mutex is locked that is destroyed or not initialised at tests/programs/lowering/fault_in_library.c:11:3 (in mtx_lock)"
#include <pthread.h>
#include <threads.h>

mtx_t mutex;

int main(void) {
  mtx_init(&mutex, mtx_plain);
  mtx_destroy(&mutex);
  /* The lock of POSIX threads is called by the one of C11. */
  mtx_lock(&mutex);
  return 0;
}
