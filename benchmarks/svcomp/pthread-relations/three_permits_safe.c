/* A counting semaphore lets three threads in. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

int permits = 3, inside;

static void *work(void *unused)
{
    __VERIFIER_atomic_begin();
    if (permits == 0)
        abort();
    permits--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    inside++;
    __VERIFIER_atomic_end();
    __VERIFIER_assert(inside <= 3);
    __VERIFIER_atomic_begin();
    inside--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    permits++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
