/* A pool is closed: its threads are joined, then its lock is destroyed. */
#include <pthread.h>
#include <stdlib.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define THREADS 2

struct pool {
    pthread_mutex_t lock;
    pthread_t threads[THREADS];
    int done;
};

static void *worker(void *arg)
{
    struct pool *pool = arg;

    pthread_mutex_lock(&pool->lock);
    pool->done++;
    pthread_mutex_unlock(&pool->lock);
    return 0;
}

int main(void)
{
    struct pool *pool = malloc(sizeof(*pool));
    int i;

    if (!pool)
        abort();
    pthread_mutex_init(&pool->lock, 0);
    pool->done = 0;
    for (i = 0; i < THREADS; i++)
        pthread_create(&pool->threads[i], 0, worker, pool);
    for (i = 0; i < THREADS; i++)
        pthread_join(pool->threads[i], 0);
    pthread_mutex_destroy(&pool->lock);
    __VERIFIER_assert(pool->done == THREADS);
    free(pool);
    return 0;
}
