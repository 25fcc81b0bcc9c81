/* Threads draw the number of a slot, which is theirs then. */
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

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

#define SLOTS 16

int slots[SLOTS], next;

static void *work(void *unused)
{
    int mine;

    mine = next;
    if (mine < SLOTS)
        next = mine + 1;
    if (mine >= SLOTS)
        return unused;
    slots[mine]++;
    __VERIFIER_assert(slots[mine] == 1);
    slots[mine]--;
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
