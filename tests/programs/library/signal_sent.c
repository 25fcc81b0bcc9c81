// expect: unsupported "sending signals"
#include <signal.h>

int main(void) { return raise(SIGTERM); }
