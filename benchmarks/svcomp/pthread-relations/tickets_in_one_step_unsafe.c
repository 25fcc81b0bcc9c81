/* A ticket lock whose tickets are drawn in one step each. */
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

unsigned next, serving;
int inside;

static unsigned draw(void)
{
    unsigned mine;

    __VERIFIER_atomic_begin();
    mine = next;
    if (mine + 1 == 0)
        abort();
    next = mine + 1;
    __VERIFIER_atomic_end();
    return mine;
}

static void *work(void *unused)
{
    unsigned mine = draw();

    while (serving != mine)
        ;
    inside = inside + 1;
    __VERIFIER_assert(inside == 1);
    serving = mine + 1;
    inside = inside - 1;
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
