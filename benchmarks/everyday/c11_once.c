/* A table is set up once, by whoever comes first. */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int table[3];
static _Thread_local int calls;

static void set_up(void) {
  for (int i = 0; i < 3; i++) table[i] = i * i;
}

static int look(void *unused) {
  (void)unused;
  call_once(&flag, set_up);
  calls++;
  return table[2] + calls;
}

int main(void) {
  thrd_t a, b;
  int x, y;
  thrd_create(&a, look, 0);
  thrd_create(&b, look, 0);
  thrd_join(a, &x);
  thrd_join(b, &y);
  assert(x == 5 && y == 5);
  return 0;
}
