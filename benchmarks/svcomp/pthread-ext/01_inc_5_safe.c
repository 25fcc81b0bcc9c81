/* A counter incremented by five threads under a test-and-set lock only grows. */
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

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void assume_abort_if_not(int cond)
{
    if (!cond)
        abort();
}

static unsigned value;
static int locked;

static void lock(void)
{
    __VERIFIER_atomic_begin();
    assume_abort_if_not(!locked);
    locked = 1;
    __VERIFIER_atomic_end();
}

static void unlock(void)
{
    locked = 0;
}

static void *thread(void *arg)
{
    unsigned before;

    lock();
    before = value;
    if (before == 0u - 1) {
        unlock();
        return arg;
    }
    value = before + 1;
    unlock();
    __VERIFIER_assert(value > before);
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
