/* Detached threads that the end of main may stop at any time. */
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

static int stage;

static void *first(void *arg)
{
    stage = 1;
    stage = 2;
    return arg;
}

static void *second(void *arg)
{
    int seen = stage;

    __VERIFIER_assert(seen >= 0 && seen <= 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, first, 0);
    pthread_detach(a);
    pthread_create(&b, 0, second, 0);
    pthread_detach(b);
    return 0;
}
