/* A counter of ticks close to its end: its value is loaded, incremented and stored. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks = INT_MAX - 1;

static void *tick(void *arg)
{
    int now = atomic_load(&ticks);

    atomic_store(&ticks, now + 1);
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
