// expect: false(unreach-call)
// With SA_NODEFER the handler runs inside of itself.
#include <assert.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t runs, depth;

static void note(int number) {
  assert(depth == 0);
  depth++;
  if (++runs == 1)
    raise(number);
  depth--;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  assert(runs == 2);
  return 0;
}
