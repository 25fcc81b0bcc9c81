/* Two threads pass a number to and fro, and each adds one; the turn says whose it is. */
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

int turn, ones, others, rounds;

static void *first(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        while (turn != 0)
            ;
        ones++;
        turn = 1;
    }
    return unused;
}

static void *second(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        while (turn != 1)
            ;
        others++;
        __VERIFIER_assert(ones == others);
        turn = 0;
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;

    rounds = __VERIFIER_nondet_int();
    if (rounds < 0 || rounds > 100000)
        return 0;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
