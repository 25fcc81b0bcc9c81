// expect: true
// The value of an assignment of structs is what was stored.
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
    u = v = g;
    if (u.m != v.m || u.n != v.n)
        reach_error();
    int r = (u = g).m;
    if (r != u.m)
        reach_error();
    return 0;
}
