// expect: true
// The write of x++ comes before the next sequence point.
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
    int r = x++;
    z = r + 1;
    return 0;
}
