/* Test-and-set spin lock used by five threads. */
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

static int locked;
static int inside;

static void lock(void)
{
    while (__sync_lock_test_and_set(&locked, 1))
        ;
}

static void unlock(void)
{
    __sync_lock_release(&locked);
}

static void *thread(void *arg)
{
    lock();
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
    unlock();
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
