/* Three counters of two threads, whose sums agree. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern int __VERIFIER_nondet_int(void);

int n, x, y, z;

static void *by_one(void *unused)
{
    for (int i = 0; i < n; i++)
        x += 1;
    return unused;
}

static void *by_three(void *unused)
{
    for (int i = 0; i < n || i == 7; i++) {
        y += 3;
        z -= 2;
    }
    return unused;
}

int main(void)
{
    pthread_t t, u;

    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10000)
        abort();
    pthread_create(&t, 0, by_one, 0);
    pthread_create(&u, 0, by_three, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    __VERIFIER_assert(x == y + z);
    return 0;
}
