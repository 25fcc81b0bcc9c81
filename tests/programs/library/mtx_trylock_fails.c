// expect: false(unreach-call)
#include <assert.h>
#include <threads.h>

mtx_t mutex;

int main(void) {
  mtx_init(&mutex, mtx_plain);
  assert(mtx_trylock(&mutex) == thrd_success);
  return 0;
}
