/* Two threads add as often, and count that in global variables of their own. */
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

int n, step, sum1, sum2, i, j;

static void *worker1(void *unused)
{
    for (i = 0; i < n; i++)
        sum1 += step;
    return unused;
}

static void *worker2(void *unused)
{
    for (j = 0; j < n; j++)
        sum2 += step;
    return unused;
}

int main(void)
{
    pthread_t t1, t2;

    i = __VERIFIER_nondet_int();
    j = __VERIFIER_nondet_int();
    n = __VERIFIER_nondet_int();
    step = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000 || step < -1000 || step > 1000)
        abort();
    pthread_create(&t1, 0, worker1, 0);
    pthread_create(&t2, 0, worker2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    __VERIFIER_assert(sum1 == sum2);
    return 0;
}
