// expect: false(unreach-call)
// The handler of either signal may have run.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen = number; }

int main(void) {
  signal(SIGUSR1, note);
  signal(SIGTERM, note);
  pause();
  assert(seen == SIGUSR1);
  return 0;
}
