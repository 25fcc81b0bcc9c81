// expect: true args: --spurious-failures off
#include <assert.h>
#include <threads.h>

mtx_t mutex, recursive;
cnd_t ready;
once_flag once = ONCE_FLAG_INIT;
int full, calls;

void initialise(void) { calls++; }

int producer(void *argument) {
  call_once(&once, initialise);
  mtx_lock(&mutex);
  full = 1;
  cnd_signal(&ready);
  mtx_unlock(&mutex);
  thrd_exit(-3);
}

int main(void) {
  thrd_t t;
  int result;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(mtx_init(&recursive, mtx_recursive | mtx_timed) == thrd_success);
  assert(cnd_init(&ready) == thrd_success);
  assert(thrd_create(&t, producer, 0) == thrd_success);
  assert(!thrd_equal(t, thrd_current()));
  assert(mtx_lock(&mutex) == thrd_success);
  while (!full)
    assert(cnd_wait(&ready, &mutex) == thrd_success);
  assert(mtx_trylock(&mutex) == thrd_busy);
  assert(mtx_unlock(&mutex) == thrd_success);
  call_once(&once, initialise);
  assert(thrd_join(t, &result) == thrd_success);
  assert(result == -3);
  assert(calls == 1);
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_trylock(&recursive) == thrd_success);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  mtx_destroy(&recursive);
  mtx_destroy(&mutex);
  cnd_destroy(&ready);
  return 0;
}
