/* Each slot of an array has a flag in another one, which threads take by compare and swap. */
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

#define SLOTS 8

int flags[SLOTS], users[SLOTS];

static void *work(void *unused)
{
    int i = __VERIFIER_nondet_int();

    if (i < 0 || i >= SLOTS)
        return unused;
    if (!__sync_bool_compare_and_swap(&flags[i], 0, 1))
        return unused;
    users[i]++;
    __VERIFIER_assert(users[i] == 1);
    users[i]--;
    flags[i / 2] = 0;
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
