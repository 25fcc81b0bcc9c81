/* A pseudo-random generator shared by any number of threads, its seed under a lock. */
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

static unsigned seed = 1;
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
    return arg;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, thread, 0);
}
