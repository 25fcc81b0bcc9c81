// expect: false(unreach-call)
// Two assignments read twice.
void reach_error(void);

#include <pthread.h>
struct s { int m, n; } g;

void *other(void *unused) {
    g.m = 1;
    g.n = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    struct s u, v;
    v = g;
    u = g;
    if (u.m != v.m || u.n != v.n)
        reach_error();
    return 0;
}
