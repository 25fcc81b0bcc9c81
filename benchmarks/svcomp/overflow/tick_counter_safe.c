/* A counter of ticks close to its end: atomic additions wrap, which is defined. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks = INT_MAX - 1;

static void *tick(void *arg)
{
    atomic_fetch_add(&ticks, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, tick, 0);
    pthread_create(&b, 0, tick, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
