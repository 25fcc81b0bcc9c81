/* A flag that threads spin for, by test and set, protects two numbers that keep step. */
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

int busy, ahead, behind;

static void *work(void *unused)
{
    while (__sync_lock_test_and_set(&busy, 1))
        ;
    __VERIFIER_assert(ahead == behind);
    if (ahead < 1000000) {
        ahead++;
        behind++;
    }
    __sync_lock_release(&busy);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
