/* A counter incremented or decremented by five threads by compare-and-swap. */
#include <pthread.h>

#define THREADS 5

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned value;
static int incremented, decremented;

static void increment(void)
{
    unsigned before;

    do {
        before = value;
        if (before == 0u - 1)
            return;
        incremented = 1;
    } while (!__sync_bool_compare_and_swap(&value, before, before + 1));

    __VERIFIER_atomic_begin();
    __VERIFIER_assert(decremented || value > before);
    __VERIFIER_atomic_end();
}

static void decrement(void)
{
    unsigned before;

    do {
        before = value;
        if (before == 0)
            return;
        decremented = 1;
    } while (!__sync_bool_compare_and_swap(&value, before, before - 1));

    __VERIFIER_atomic_begin();
    __VERIFIER_assert(incremented || value < before);
    __VERIFIER_atomic_end();
}

static void *thread(void *arg)
{
    if (__VERIFIER_nondet_bool())
        increment();
    else
        decrement();
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
