/* A pseudo-random generator shared by five threads, its seed under a lock. */
#include <pthread.h>

#define THREADS 5

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static unsigned seed = 1;
static unsigned drawn[16]; /* how often each seed came */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

/* Full period: every 16th application is the identity, none before. */
static unsigned following(unsigned s)
{
    return (5 * s + 3) % 16;
}

static unsigned draw(void)
{
    unsigned before, after;

    pthread_mutex_lock(&m);
    before = seed;
    after = following(before);
    __VERIFIER_assert(after != before);
    seed = after;
    pthread_mutex_unlock(&m);
    return after;
}

static void *thread(void *arg)
{
    unsigned r = draw();

    __VERIFIER_assert(r < 16);
    __VERIFIER_assert(__sync_add_and_fetch(&drawn[r], 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
