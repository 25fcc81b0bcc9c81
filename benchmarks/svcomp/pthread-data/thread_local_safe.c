/* Thread-local counters: nobody else's increments show. */
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

static _Thread_local int mine = 10;

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
    __VERIFIER_assert(mine == 10);
    return 0;
}
