/* A function whose name begins with __VERIFIER_atomic_ is one step. */
#include <pthread.h>

void reach_error(void) {}

static int counter;

void __VERIFIER_atomic_increment(void)
{
    int t = counter;

    counter = t + 1;
}

static void *worker(void *arg)
{
    __VERIFIER_atomic_increment();
    __VERIFIER_atomic_increment();
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
