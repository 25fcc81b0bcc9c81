/* Threads get numbers of blocks under a flag, and put them on top. */
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

int top, blocks, taken;

static void acquire(void)
{
    while (!__sync_bool_compare_and_swap(&taken, 0, 1))
        ;
}

static void *push(void *unused)
{
    int mine = 0;

    acquire();
    if (blocks < 100) {
        mine = blocks + 1;
        blocks = mine;
    }
    taken = 0;
    if (mine == 0)
        return unused;
    top = mine;
    if (__VERIFIER_nondet_int())
        top = 0;
    __VERIFIER_assert(top > 0);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, push, 0);
}
