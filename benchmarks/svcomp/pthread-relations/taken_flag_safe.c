/* A flag that is taken by compare and swap protects two numbers. */
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


int taken, first, second;

static void *work(void *unused)
{
    if (!__sync_bool_compare_and_swap(&taken, 0, 1))
        return unused;
    if (first < 1000000)
        first++;
    second = first;
    __VERIFIER_assert(first == second);
    taken = 0;
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
