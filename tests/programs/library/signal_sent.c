// expect: unsupported "waiting for signals"
#include <unistd.h>

int main(void) { return pause(); }
