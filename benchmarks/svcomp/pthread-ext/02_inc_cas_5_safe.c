/* A counter incremented by five threads by compare-and-swap only grows. */
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

static unsigned value;

static void *thread(void *arg)
{
    unsigned before;

    do {
        before = value;
        if (before == 0u - 1)
            return arg;
    } while (!__sync_bool_compare_and_swap(&value, before, before + 1));
    __VERIFIER_assert(value > before);
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
