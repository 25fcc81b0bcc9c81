/* A word that threads exchange for 1 until it was 0 protects what goes from one sum to the other. */
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

int word, here, there;

static void *work(void *unused)
{
    int by = __VERIFIER_nondet_int();

    while (__atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST) != 0)
        ;
    if (by > 0 && by < 100 && here < 1000000 && there > -1000000) {
        here = here + by;
        there = there - by;
    }
    __VERIFIER_assert(here + there == 0);
    __atomic_store_n(&word, 0, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
