// expect: true
// While a handler runs its signal is blocked: it is pending, and the handler runs again afterwards.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t runs, depth;

static void note(int number) {
  assert(depth == 0);
  depth++;
  if (++runs == 1)
    raise(number);
  depth--;
}

int main(void) {
  signal(SIGUSR1, note);
  raise(SIGUSR1);
  assert(runs == 2);
  return 0;
}
