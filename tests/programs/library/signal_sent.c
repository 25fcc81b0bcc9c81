// expect: unsupported "sending signals with values"
#include <signal.h>
#include <unistd.h>

int main(void) {
  union sigval value = {0};
  return sigqueue(getpid(), SIGUSR1, value);
}
