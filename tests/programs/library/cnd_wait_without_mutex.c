// expect: unknown "a thread waits with a mutex that it does not hold"
#include <threads.h>

mtx_t mutex;
cnd_t cond;

int main(void) {
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  cnd_init(&cond);
  cnd_wait(&cond, &mutex);
  return 0;
}
