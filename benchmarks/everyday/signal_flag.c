/* A handler of SIGINT asks the loop to stop. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void on_interrupt(int number) {
  (void)number;
  asked = 1;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGINT, &action, NULL) != 0) return EXIT_FAILURE;
  for (int rounds = 0; rounds < 3 && !asked; rounds++) sleep(1);
  assert(asked == 0 || asked == 1);
  return 0;
}
