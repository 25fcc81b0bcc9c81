/* A clock under a sequence lock: readers try again, but what they read is not atomic. */
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

static atomic_uint sequence;
static int seconds, ticks;

static void *advance(void *arg)
{
    atomic_fetch_add(&sequence, 1);
    seconds = 1;
    ticks = 1000;
    atomic_fetch_add(&sequence, 1);
    return arg;
}

static int read_clock(int *s, int *t)
{
    unsigned before = atomic_load(&sequence);

    if (before % 2)
        return 0;
    *s = seconds;
    *t = ticks;
    return atomic_load(&sequence) == before;
}

static void *reader(void *arg)
{
    int s = 0, t = 0, tries;

    for (tries = 0; tries < 2; tries++) {
        if (read_clock(&s, &t)) {
            __VERIFIER_assert(t == 1000 * s);
            break;
        }
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, advance, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
