/* A counter that one thread increments, up to its last value; main reads it twice. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define LAST (0u - 1)

static unsigned counter;

static void *writer(void *arg)
{
    while (1) {
        if (counter != LAST)
            counter++;
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned before, after;

    pthread_create(&t, 0, writer, 0);
    while (1) {
        before = counter;
        after = counter;
        __VERIFIER_assert(before <= after);
    }
}
