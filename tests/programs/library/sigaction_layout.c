// expect: true args: --property unreach-call
#include <assert.h>
#include <signal.h>
#include <stddef.h>

_Static_assert(sizeof(struct sigaction) == 152, "");
_Static_assert(offsetof(struct sigaction, sa_mask) == 8, "");
_Static_assert(offsetof(struct sigaction, sa_flags) == 136, "");

static volatile sig_atomic_t got;
static void handle(int number) { got = number; }

int main(void) {
  struct sigaction one = {.sa_handler = handle, .sa_flags = SA_RESTART}, other;
  sigaction(SIGUSR1, &one, 0);
  sigaction(SIGUSR1, 0, &other);
  assert(other.sa_handler == handle && other.sa_flags == SA_RESTART);
  raise(SIGUSR1);
  assert(got == SIGUSR1);
  return 0;
}
