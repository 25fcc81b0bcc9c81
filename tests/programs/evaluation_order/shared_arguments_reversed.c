// expect: false(unreach-call)
// The last argument may be read first.
void reach_error(void);

#include <pthread.h>
int x, y;
int pair(int v, int w) { return v * 10 + w; }

void *other(void *unused) {
    y = 1;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    if (pair(x, y) == 10)
        reach_error();
    return 0;
}
