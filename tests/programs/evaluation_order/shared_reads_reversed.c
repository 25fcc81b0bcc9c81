// expect: false(unreach-call)
// The right one of two shared variables may be read first.
void reach_error(void);

#include <pthread.h>
int x, y;

void *other(void *unused) {
    y = 1;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    if (x * 10 + y == 10)
        reach_error();
    return 0;
}
