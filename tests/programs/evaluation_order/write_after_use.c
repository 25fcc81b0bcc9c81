// expect: false(unreach-call)
// The write of x++ need not come before what uses its value.
void reach_error(void);

#include <pthread.h>
int x, z;

void *other(void *unused) {
    int q = z;
    if (q == 7 && x == 6)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 6;
    z = x++ + 1;
    return 0;
}
