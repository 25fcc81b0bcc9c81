/* The producer lets pairs of equal items pass. */
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int *low, *high;
int n, front, back, wrong;

static void *put(void *unused)
{
    for (int i = 0; i < n; i++) {
        if (low[back] > high[back])
            abort();
        __VERIFIER_atomic_begin();
        back++;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *take(void *unused)
{
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        if (front >= back)
            abort();
        int first = low[front], second = high[front];
        front++;
        __VERIFIER_atomic_end();
        if (first >= second)
            wrong = 1;
    }
    return unused;
}

int main(void)
{
    pthread_t t, u;

    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        abort();
    low = malloc(n * sizeof(int));
    high = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        low[i] = __VERIFIER_nondet_int();
        high[i] = __VERIFIER_nondet_int();
    }
    pthread_create(&t, 0, put, 0);
    pthread_create(&u, 0, take, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    __VERIFIER_assert(!wrong);
    return 0;
}
