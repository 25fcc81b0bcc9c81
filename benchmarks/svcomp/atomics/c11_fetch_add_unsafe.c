/* Three threads count with an atomic load and an atomic store. */
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define THREADS 3

static atomic_int next;
static atomic_bool drawn[THREADS];

static void *worker(void *arg)
{
    int mine = atomic_load(&next);

    atomic_store(&next, mine + 1);
    __VERIFIER_assert(mine < THREADS);
    __VERIFIER_assert(!atomic_exchange(&drawn[mine], 1));
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    __VERIFIER_assert(next == THREADS);
    return 0;
}
