/* A counter that was meant to be thread-local is not. */
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

static int mine = 10;

static void bump(void)
{
    mine++;
}

static void *worker(void *arg)
{
    int i;

    for (i = 0; i < 3; i++)
        bump();
    __VERIFIER_assert(mine == 13);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
