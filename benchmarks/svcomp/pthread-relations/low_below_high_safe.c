/* Two threads raise a bound, a third one the bound above it. */
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
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

int n, low, high;

static void *rise(void *unused)
{
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        if (low < high)
            low++;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *widen(void *unused)
{
    for (int i = 0; i < n; i++) {
        __VERIFIER_atomic_begin();
        if (high < 1000000)
            high += 2;
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void)
{
    pthread_t t, u, v;

    n = __VERIFIER_nondet_int();
    pthread_create(&t, 0, rise, 0);
    pthread_create(&u, 0, rise, 0);
    pthread_create(&v, 0, widen, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assert(low <= high);
    __VERIFIER_atomic_end();
    return 0;
}
