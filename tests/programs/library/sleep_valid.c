// expect: true
// Nanoseconds in range are none: there are no handlers of signals.
#include <threads.h>
#include <time.h>
void reach_error(void);

int main(void) {
    struct timespec duration = {1, 999999999};
    if (nanosleep(&duration, 0) != 0 || thrd_sleep(&duration, 0) != 0)
        reach_error();
    if (clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, 0) != 0)
        reach_error();
    return 0;
}
