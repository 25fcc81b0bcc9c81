// expect: false(unreach-call)
// The index on the left may be read before the value on the right.
void reach_error(void);

#include <pthread.h>
int x, y, a[2];

void *other(void *unused) {
    x = 1;
    y = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    a[x] = y + 2;
    if (a[0] == 3)
        reach_error();
    return 0;
}
