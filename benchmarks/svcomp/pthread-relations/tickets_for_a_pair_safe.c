/* Tickets that are drawn by compare and swap are for two numbers that keep step. */
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

unsigned next, serving;
int ahead, behind;

static void *work(void *unused)
{
    unsigned mine;

    do {
        mine = next;
        if (mine == 1000000000)
            abort();
    } while (!__sync_bool_compare_and_swap(&next, mine, mine + 1));
    while (serving != mine)
        ;
    if (ahead < 1000000)
        ahead++;
    behind = ahead;
    __VERIFIER_assert(ahead == behind);
    serving = mine + 1;
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
