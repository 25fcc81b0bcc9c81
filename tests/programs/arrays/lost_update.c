// expect: false(unreach-call) args: --engine abpress
/* One element is incremented twice, not atomically; nobody knows which. */
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int counters[64];
int k;

static void *count(void *arg)
{
    counters[k]++;
    return arg;
}

int main(void)
{
    pthread_t t;

    k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 64)
        return 0;
    pthread_create(&t, 0, count, 0);
    count(0);
    pthread_join(t, 0);
    if (counters[k] != 2)
        reach_error();
    return 0;
}
