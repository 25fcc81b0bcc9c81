/* A counter incremented by an ordinary function. */
#include <pthread.h>

void reach_error(void) {}

static int counter;

void increment(void)
{
    int t = counter;

    counter = t + 1;
}

static void *worker(void *arg)
{
    increment();
    increment();
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (counter != 4)
        reach_error();
    return 0;
}
