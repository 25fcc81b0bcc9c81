// expect: false(unreach-call)
// A number may be that of the process itself, which the signal then ends.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void) {
  if (kill(77, SIGUSR1) == 0)
    assert(getpid() == 77);
  return 0;
}
