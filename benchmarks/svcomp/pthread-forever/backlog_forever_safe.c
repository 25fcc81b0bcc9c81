/* A producer and a consumer count, without a lock; no more is consumed than produced. */
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

static unsigned produced, consumed;

static void *producer(void *arg)
{
    while (1) {
        if (produced != LAST)
            produced++;
    }
    return arg;
}

static void *consumer(void *arg)
{
    while (1) {
        if (consumed < produced)
            consumed++;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    unsigned taken;

    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    while (1) {
        taken = consumed;
        __VERIFIER_assert(taken <= produced);
    }
}
