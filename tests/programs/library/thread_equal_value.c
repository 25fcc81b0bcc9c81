// expect: false(unreach-call)
// For equal ids the result is any non-zero value (POSIX pthread_equal).
#include <pthread.h>
void reach_error(void);

int main(void) {
    if (pthread_equal(pthread_self(), pthread_self()) != 1)
        reach_error();
    return 0;
}
