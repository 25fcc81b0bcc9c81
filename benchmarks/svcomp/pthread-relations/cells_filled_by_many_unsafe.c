/* Many threads fill the cells of an array with their numbers. */
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

#define SIZE 64

int cells[SIZE], next;

static void *fill(void *unused)
{
    int mine;

    __VERIFIER_atomic_begin();
    mine = next;
    if (mine < SIZE)
        next = mine + 1;
    __VERIFIER_atomic_end();
    if (mine < SIZE)
        cells[mine] = next;
    return unused;
}

static void *look(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        int seen = cells[i];

        __VERIFIER_assert(seen == 0 || seen == i);
    }
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, look, 0);
    while (1)
        pthread_create(&t, 0, fill, 0);
}
