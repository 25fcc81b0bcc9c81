/* Each thread makes one thing, and then uses one. */
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

int made, used;

static void *work(void *unused)
{
    __VERIFIER_atomic_begin();
    if (made == 1000000)
        abort();
    made++;
    used++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    made--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __VERIFIER_assert(used <= made);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
