// expect: true
// For equal ids the result is not zero (POSIX pthread_equal, C11 7.26.5.4).
#include <pthread.h>
#include <threads.h>
void reach_error(void);

int main(void) {
    int equal = pthread_equal(pthread_self(), pthread_self());
    if (equal == 0 || !thrd_equal(thrd_current(), thrd_current()))
        reach_error();
    return 0;
}
