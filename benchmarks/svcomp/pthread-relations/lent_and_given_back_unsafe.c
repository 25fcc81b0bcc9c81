/* Threads borrow under a flag that they spin for, and give back as much. */
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

#define ALL 100

int busy, left = ALL, lent;

static void lock(void)
{
    while (!__sync_bool_compare_and_swap(&busy, 0, 1))
        ;
}

static void *work(void *unused)
{
    int by = __VERIFIER_nondet_int();

    if (by < 1 || by > ALL)
        return unused;
    lock();
    if (left < by) {
        busy = 0;
        return unused;
    }
    left -= by;
    busy = 0;
    lock();
    lent += by;
    __VERIFIER_assert(left + lent == ALL);
    left += by;
    lent -= by;
    busy = 0;
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
