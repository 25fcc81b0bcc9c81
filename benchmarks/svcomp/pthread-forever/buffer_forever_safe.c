/* Indices of a ring of three, a producer and a consumer without a lock, with wrap-around. */
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

#define SIZE 3

static unsigned produced, consumed;

static void *producer(void *arg)
{
    while (1) {
        if (produced - consumed < SIZE) {
            produced++;
            __VERIFIER_assert(produced - consumed <= SIZE);
        }
    }
    return arg;
}

static void *consumer(void *arg)
{
    while (1) {
        if (consumed != produced) {
            consumed++;
            __VERIFIER_assert(produced - consumed <= SIZE);
        }
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
