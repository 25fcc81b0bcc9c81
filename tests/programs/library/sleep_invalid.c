// expect: false(unreach-call)
// Nanoseconds out of range are an error (POSIX nanosleep).
#include <time.h>
void reach_error(void);

int main(void) {
    struct timespec duration = {0, 1000000000};
    if (nanosleep(&duration, 0) != 0)
        reach_error();
    return 0;
}
